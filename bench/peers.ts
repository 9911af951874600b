import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './children.ts';
import { type Subject, subject } from './servers.ts';

const folder = join(root, 'bench/peers');
const modules = join(folder, 'node_modules');
const programs = join(modules, '.bin');
const installLimitMs = 300_000;
const importLimitMs = 60_000;

export type Peer = 'prism' | 'scalar' | 'steady' | 'mockoon';

/** The mock servers with which this one is compared, with their defaults. They serve this contract, a file in JSON. */
export async function peers(contract: string): Promise<Record<Peer, Subject>> {
  // Of no use to anybody who does not measure: `npm ci` in the project does not install them.
  if (!existsSync(modules)) await run('npm', ['ci', '--prefix', folder], installLimitMs);
  const converted = await toMockoon(contract);
  return {
    prism: subject('Prism', '', (port) => ['node_modules/.bin/prism', 'mock', '-p', port, contract]),
    scalar: subject('Scalar', '', (port) => [join(folder, 'scalar.js'), port, contract]),
    steady: subject('Steady', '', (port) => [join(programs, 'steady'), '--host', '127.0.0.1', '-p', port, contract]),
    mockoon: subject('Mockoon', '/v0.1', (port) => [
      ...[join(programs, 'mockoon-cli'), 'start', '-d', converted, '-p', port],
      '--disable-log-to-file',
    ]),
  };
}

interface MockoonFile {
  routes: { responses: { label: string }[] }[];
}

/** Mockoon answers with the first response, which it makes from the schema: here it gets the example alone. */
async function toMockoon(contract: string): Promise<string> {
  const file = `${contract}.mockoon.json`;
  await run(process.execPath, [join(programs, 'mockoon-cli'), 'import', '-i', contract, '-o', file], importLimitMs);
  const { routes, ...others }: MockoonFile = JSON.parse(readFileSync(file, 'utf8'));
  for (const route of routes) {
    const example = route.responses.find(({ label }) => label === exampleName);
    if (example !== undefined) route.responses = [example];
  }
  writeFileSync(file, JSON.stringify({ ...others, routes }));
  return file;
}

/** The name in the contract of the page that all of them answer with. */
export const exampleName = 'page';
