import { writeFileSync } from 'node:fs';
import { afterAll } from 'vitest';
import { temporaryFolder } from './shell.ts';

/** Creates a folder for the tests of a file, which is removed after them. */
export function createFolder(purpose: string) {
  const folder = temporaryFolder(purpose);
  afterAll(folder.remove);
  /** Writes a file into it: a string unchanged, anything else as JSON. Returns its path. */
  const write = (name: string, content: unknown) => {
    writeFileSync(folder.at(name), typeof content === 'string' ? content : JSON.stringify(content));
    return folder.at(name);
  };
  return { ...folder, write };
}
