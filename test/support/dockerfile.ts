/** Reads and executes a Dockerfile without Docker: its lines run in a folder that stands for the root of the image. */
import { cpSync, globSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type ShellOptions, succeed } from './shell.ts';

export interface Instruction {
  word: string;
  text: string;
}

/** The instructions, with continued lines joined. */
export function instructionsOf(dockerfile: string): Instruction[] {
  const lines = dockerfile.replaceAll(/\\\n\s*/g, '').split('\n');
  return lines
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => ({ word: line.split(' ', 1)[0] ?? '', text: line.slice(line.indexOf(' ') + 1) }));
}

/** The content of the brackets of CMD or HEALTHCHECK: a program and its arguments. */
export function programOf(text: string): [string, ...string[]] {
  return JSON.parse(text.slice(text.indexOf('[')));
}

/** An image, as far as it is a folder. */
export interface Built {
  /** Where CMD runs. */
  cwd: string;
  environment: Record<string, string>;
  user: string;
  command: [string, ...string[]];
  healthcheck: [string, ...string[]];
}

/** Executes the instructions. `context` is the Dockerfile's folder, `root` an empty one. */
export async function build(dockerfile: string, context: string, root: string, shell: ShellOptions): Promise<Built> {
  // An image has a cache of its own. Emptying it must not empty that of the user, which others use meanwhile.
  const inImage = { ...shell.environment, npm_config_cache: `${root}-npm-cache` };
  const built: Built = { cwd: root, environment: {}, user: 'root', command: [''], healthcheck: [''] };
  const carryOut: Record<string, (text: string) => unknown> = {
    FROM: () => undefined,
    EXPOSE: () => undefined,
    WORKDIR: (text) => {
      built.cwd = join(root, text);
      mkdirSync(built.cwd, { recursive: true });
    },
    COPY: (text) => {
      const words = text.split(' ');
      const files = words.slice(0, -1).flatMap((pattern) => globSync(pattern, { cwd: context }));
      if (files.length === 0) throw new Error(`COPY ${text}: nothing to copy`);
      for (const file of files) cpSync(join(context, file), join(built.cwd, words.at(-1) ?? '', basename(file)));
    },
    RUN: (text) => succeed('sh', ['-c', text], { ...shell, cwd: built.cwd, environment: inImage }),
    ENV: (text) => {
      for (const pair of text.split(' ')) built.environment[pair.split('=')[0] ?? ''] = pair.split('=')[1] ?? '';
    },
    USER: (text) => {
      built.user = text;
    },
    HEALTHCHECK: (text) => {
      built.healthcheck = programOf(text);
    },
    CMD: (text) => {
      built.command = programOf(text);
    },
  };
  for (const { word, text } of instructionsOf(dockerfile)) {
    const step = carryOut[word];
    if (step === undefined) throw new Error(`${word} is not known here. Add it to test/support/dockerfile.ts.`);
    await step(text);
  }
  return built;
}
