import { readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeEach } from 'vitest';
import { parseReport } from '../../conformance/report/parse-report.ts';
import type { Report } from '../../conformance/report/report.ts';
import { type Front, startFront } from '../../proof/power/front.ts';
import { createMock, type Mock } from '../../src/index.ts';
import { type Ended, runCommand } from './command.ts';
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
export interface Bench {
  mock: Mock;
  /** The environment of a read-only run. */
  reading: Record<string, string>;
  folder: string;
  /** A path in the folder. */
  at(name: string): string;
  /** Writes a file into the folder: a string unchanged, anything else as JSON. */
  write(name: string, content: unknown): string;
  /** Runs `agent-platform-contract conformance` in this process. */
  conformance(args: readonly string[], environment?: Record<string, string>): Promise<Ended>;
  /** The same, with the report that it wrote. */
  reportOf(args: readonly string[], environment?: Record<string, string>): Promise<Ended & { report: Report }>;
}

export async function createBench(): Promise<Bench> {
  const { path: folder, at, write } = createFolder('conformance');
  const mock = await createMock();
  afterAll(() => mock.close());
  beforeEach(() => mock.reset());
  const reading = { AGENT_PLATFORM_BASE_URL: mock.url, ...keys };
  const conformance: Bench['conformance'] = (args, environment = reading) =>
    runCommand(['conformance', ...args], environment);
  const reportOf: Bench['reportOf'] = async (args, environment) => {
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
