import { fileURLToPath } from 'node:url';
import { runProgram } from '../support/command.ts';

/**
 * Runs a program of this folder in which `msw` is one major version of MSW, given the name under which that is
 * installed. What the program prints as `FOUND <JSON>`.
 */
export async function runBehindMsw(name: string, program: string, args: readonly string[]) {
  const hook = `
    import { registerHooks } from 'node:module';
    registerHooks({ resolve: (what, context, next) => next(what.replace(/^msw(?=$|\\/)/, '${name}'), context) });
  `;
  const file = fileURLToPath(new URL(program, import.meta.url));
  const flags = ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(hook)}`];
  const { code, stdout, stderr } = await runProgram([...flags, file, ...args]);
  const [, found] = /FOUND (.*)$/s.exec(stdout) ?? [];
  if (code !== 0 || found === undefined) throw new Error(`${stdout}${stderr}`);
  return JSON.parse(found);
}
