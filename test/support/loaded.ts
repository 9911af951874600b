/** What a fresh Node process loads: the packages, and the files of this project. */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runProgram } from './command.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const spy = `
import { registerHooks } from 'node:module';
const urls = new Set();
registerHooks({ load: (url, context, next) => (urls.add(url), next(url, context)) });
process.on('exit', () => process.stderr.write('LOADED ' + JSON.stringify([...urls])));
`;

export interface Loaded {
  packages: string[];
  files: string[];
}

/** Runs a Node program to its end. Throws if it fails. */
export async function loadedBy(args: readonly string[]): Promise<Loaded> {
  const hook = `data:text/javascript,${encodeURIComponent(spy)}`;
  const { code, stdout, stderr } = await runProgram(['--import', hook, ...args]);
  const [problem = '', list] = stderr.split('LOADED ');
  if (code !== 0 || list === undefined) throw new Error(`It ended with ${code}: ${stdout}${problem}`);
  const urls: string[] = JSON.parse(list);
  const packages = urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.slice(1) ?? []);
  const own = pathToFileURL(root).href;
  const files = urls.filter((url) => url.startsWith(own) && !url.includes('/node_modules/'));
  return { packages: [...new Set(packages)].sort(), files: files.map((url) => url.slice(own.length)).sort() };
}

/** Runs a module given as text, in the project's folder. */
export function loadedByScript(script: string): Promise<Loaded> {
  return loadedBy(['--input-type=module', '--eval', script.replaceAll('<root>', pathToFileURL(root).href)]);
}
