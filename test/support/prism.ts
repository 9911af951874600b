import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';

/** Prism, an independent tool that reads the contract. */
export interface Prism {
  url: string;
  close(): Promise<void>;
}

const entry = fileURLToPath(new URL('../../node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url));

/** Starts the command of Prism, for instance with `mock` and a document. */
export async function startPrism(command: 'mock' | 'proxy', ...args: readonly string[]): Promise<Prism> {
  const port = await freePort();
  const prism = spawn(process.execPath, [entry, command, '-p', String(port), ...args], { stdio: 'pipe' });
  const closed = once(prism, 'close');
  for await (const line of createInterface({ input: prism.stdout })) {
    if (line.includes('is listening')) break;
  }
  prism.stdout.resume();
  prism.stderr.resume();
  const close = async () => {
    prism.kill();
    await closed;
  };
  return { url: `http://127.0.0.1:${port}`, close };
}
