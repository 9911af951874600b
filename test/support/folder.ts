import { writeFileSync } from 'node:fs';
import { afterAll } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from './shell.ts';

/** A folder that is removed after the tests of the file. */
export interface TestFolder extends TemporaryFolder {
  /** Writes a file into it: a string unchanged, anything else as JSON. Returns its path. */
  write(name: string, content: unknown): string;
}

/** Creates a folder for the tests of a file. */
export function createFolder(purpose: string): TestFolder {
  const folder = temporaryFolder(purpose);
  afterAll(folder.remove);
  const write = (name: string, content: unknown) => {
    writeFileSync(folder.at(name), typeof content === 'string' ? content : JSON.stringify(content));
    return folder.at(name);
  };
  return { ...folder, write };
}
