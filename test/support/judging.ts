import { readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeEach } from 'vitest';
import { parseReport } from '../../conformance/report/parse-report.ts';
import { type Front, startFront } from '../../proof/power/front.ts';
import { createMock } from '../../src/index.ts';
import { runCommand } from './command.ts';
import { createFolder } from './folder.ts';

/** The keys of the demo seed, as environment variables. */
export const keys = { AGENT_PLATFORM_API_KEY: 'demo-key', AGENT_PLATFORM_OTHER_API_KEY: 'demo-key-2' };

/** The config for the demo seed. */
export const demo = 'examples/conformance-demo.json';

/** Two checks that take no time. */
export const quick = ['--only', 'listAgents.is-served', '--only', 'listDrives.is-served'];

/** The environment of a command line with a broken suite; see `broken-suite.ts`. */
export function breaking(place: string): Record<string, string> {
  return { BREAK_SUITE: place, NODE_OPTIONS: `--import=${new URL('./broken-suite.ts', import.meta.url)}` };
}

/** A sound mock to judge, reset before each test, and a folder for files; both last as long as the tests of the file. */
export async function createBench() {
  const { path: folder, at, write } = createFolder('conformance');
  const mock = await createMock();
  afterAll(() => mock.close());
  beforeEach(() => mock.reset());
  /** The environment of a read-only run. */
  const reading: Record<string, string> = { AGENT_PLATFORM_BASE_URL: mock.url, ...keys };
  /** Runs `agent-platform-contract conformance` in this process. */
  const conformance = (args: readonly string[], environment = reading) =>
    runCommand(['conformance', ...args], environment);
  /** The same, with the report that it wrote. */
  const reportOf = async (args: readonly string[], environment = reading) => {
    const file = at('report-of.json');
    rmSync(file, { force: true });
    const ended = await conformance([...args, '--json', file], environment);
    return { ...ended, report: parseReport(readFileSync(file, 'utf8'), file) };
  };
  return { mock, reading, folder, at, write, conformance, reportOf };
}

/** Starts a front that forwards requests after `delayMs`. `onAnswer` gets each one and its body after the response. */
export function startPassing(
  url: string,
  onAnswer: (request: IncomingMessage, body: string) => void = () => undefined,
  delayMs = 0,
): Promise<Front> {
  return startFront(url, async (request, response, forward) => {
    await setTimeout(delayMs);
    let sent = '';
    const { status, headers, body } = await forward({ body: (text) => (sent = text) });
    response.writeHead(status, headers).end(body);
    onAnswer(request, sent);
  });
}
