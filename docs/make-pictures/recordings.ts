/**
 * Runs the commands of the terminal pictures, and gives what they print. What differs from run to run (ports, times,
 * ids) is replaced, so that the same commands give the same picture. To add a recording, add a function to the table.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { startBrokenServer } from './broken-server.ts';
import { drawTerminals } from './terminal.ts';

const root = join(import.meta.dirname, '../..');
const asTerminal = join(import.meta.dirname, 'as-terminal.ts');

/** When everything in a picture takes place. */
export const clock = '2026-10-01T09:00:00Z';

/** The recordings by name. */
export const recordings: Readonly<Record<string, () => Promise<string>>> = {
  'terminal-mock': recordMock,
  'terminal-vary': recordVary,
  'terminal-suite': recordSuite,
};

async function recordMock(): Promise<string> {
  const mock = startCommand(['mock', '--port', '0', '--clock', clock]);
  try {
    const [, port = ''] = await mock.printed(/127\.0\.0\.1:(\d+)/);
    const answers: string[] = [];
    for (const path of ['/drives?limit=1', '/drives?limit=500']) {
      const response = await fetch(`http://127.0.0.1:${port}/v0.1${path}`, { headers: { 'X-API-Key': 'demo-key' } });
      const shown = `curl -H 'X-API-Key: demo-key' 'http://127.0.0.1:4010/v0.1${path}'`;
      answers.push(`${prompt(shown)}${await response.text()}\n`);
    }
    // The log has a second line for an error response: the reason.
    await mock.printed(/limit=500.*\n.*\n/);
    const log = mock.text().replaceAll(port, '4010');
    return drawTerminals(
      'The mock, and two requests',
      'The mock starts and prints its addresses. A first request lists a drive; a second one with a limit out of range gets 422, and the log says why.',
      [
        { title: 'the mock', text: prompt('npm start') + inOrder(log), rows: 1 },
        { title: 'another terminal', text: answers.join('\n') },
      ],
    );
  } finally {
    await mock.stop();
  }
}

/** The log with times that are the same in each run. */
function inOrder(log: string): string {
  let second = 10;
  const next = () => {
    second += 3;
    return `09:00:${second}`;
  };
  return log.replaceAll(/\d\d:\d\d:\d\d/g, next).replaceAll(/[\d.]+ ms/g, '1.2 ms');
}

async function recordVary(): Promise<string> {
  const options = '--impact hidden --repeat 1 --profile examples/frontend/profile.yaml';
  const tests = 'node --test examples/frontend/drive-browser.test.js';
  const vary = startCommand(['vary', ...options.split(' '), '--', ...tests.split(' ')]);
  await vary.ended;
  const printed = vary
    .text()
    .replaceAll(root, '.')
    .replaceAll(/[\d.]+ ?ms\b/g, '12 ms')
    .replaceAll(/\d+ profiles?, \d+ runs?, /g, '2 profiles, 11 runs, ')
    .replaceAll(/\b[\d.]+ s\b/g, '5.2 s')
    .replace(/takes .*; (.* runs:) .*/, 'takes 602 ms; $1 6.0 s to 1 min 30 s');
  return drawTerminals(
    'vary finds a hidden assumption',
    'vary runs the tests of a small frontend against variants of the mock. They fail where ids cannot be sorted, and vary names this open point, with the question to ask.',
    [
      {
        title: 'vary',
        text:
          prompt(`npm run vary -- ${options} \\\n    -- ${tests}`) +
          shortened(withoutStatus(printed), [
            [/^.*✖ the page.*$/m, /^.*failing tests.*$/m],
            [/^.*at TestContext.*$/m, /^$/m],
          ]),
        rows: 2,
      },
    ],
  );
}

/** What a run of the suite against the broken server prints, and its report in JSON. */
async function runSuite(): Promise<{ printed: string; report: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-platform-pictures-'));
  const file = join(folder, 'report.json');
  const server = await startBrokenServer(clock);
  try {
    // The order of the requests decides how they are spelled.
    const environment = { AGENT_PLATFORM_API_KEY: 'demo-key', AGENT_PLATFORM_CONCURRENCY: '1' };
    const suite = startCommand(['conformance', '--base-url', server.baseUrl, '--json', file], environment);
    await suite.ended;
    const steady = (text: string) => inOneSpelling(text.replaceAll(new URL(server.baseUrl).host, '127.0.0.1:8080'));
    return { printed: steady(withoutLines(suite.text(), file)), report: steady(readFileSync(file, 'utf8')) };
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Without the lines that hold a word. */
function withoutLines(text: string, word: string): string {
  return text
    .split('\n')
    .filter((line) => !line.includes(word))
    .join('\n');
}

/** The suite spells requests by turns, in one of several ways. Here all have the same, and the same ids. */
function inOneSpelling(text: string): string {
  return text
    .replaceAll(/\b(offset=\d+)&(limit=\d+)/g, '$2&$1')
    .replaceAll('"Authorization": "Bearer <API_KEY>"', '"X-API-Key": "<API_KEY>"')
    .replaceAll('Authorization: Bearer ', 'X-API-Key: ')
    .replaceAll(/\b[0-9a-f]{8}(?=-0000-4000-8000-)/g, 'c0ffee00')
    .replaceAll(/(?<=-0000-4000-8000-)\d{12}/g, '000000000042')
    .replaceAll(/run-[0-9a-f]{8}/g, 'run-c0ffee00');
}

let run: ReturnType<typeof runSuite> | undefined;

/** The same, once for all pictures of a process. */
export function suiteRun(): ReturnType<typeof runSuite> {
  run ??= runSuite();
  return run;
}

async function recordSuite(): Promise<string> {
  const printed = withoutStatus((await suiteRun()).printed)
    .replaceAll(/^.*(?:run of about|response takes).*\n/gm, '')
    .replaceAll(/[\d.]+ ms\b/g, '2 ms')
    .replaceAll(/\d+(?= requests\b)/g, '609')
    .replaceAll(/\b[\d.]+ s\b/g, '2.4 s');
  return drawTerminals(
    'The suite finds a failure',
    'The conformance suite reads from a server that ignores offset. It shows the requirement, what was expected, what came, a curl line to reproduce it, and the verdict non-conformant.',
    [
      {
        title: 'conformance suite',
        text: [
          prompt('export AGENT_PLATFORM_API_KEY=…'),
          prompt('npm run conformance -- --base-url http://127.0.0.1:8080/v0.1'),
          shortened(printed, [[/(?<=FAILED[\s\S]*\n)\n.*FAILED/, /\n\d+ failed,/]]),
        ].join(''),
        rows: 2,
      },
    ],
  );
}

/** A line as it is typed. */
function prompt(command: string): string {
  return `\x1b[34m$\x1b[39m \x1b[1m${command}\x1b[22m\n`;
}

/** Without the lines that were overwritten later. */
function withoutStatus(text: string): string {
  return text.replaceAll(/^.*\r(?=[^\r\n]*$)/gm, '');
}

/** A text with `…` in place of what stands from one line up to another, where it has both. */
function shortened(text: string, cuts: ReadonlyArray<readonly [from: RegExp, to: RegExp]>): string {
  return cuts.reduce((shorter, [from, to]) => {
    const start = from.exec(shorter)?.index;
    const length = start === undefined ? undefined : to.exec(shorter.slice(start))?.index;
    return start === undefined || length === undefined
      ? shorter
      : `${shorter.slice(0, start)}  …\n${shorter.slice(start + length)}`;
  }, text);
}

interface Command {
  /** What it has printed so far, on both streams. */
  text(): string;
  /** Resolves with what an expression matches. Rejects when the command ends before. */
  printed(expression: RegExp): Promise<RegExpExecArray>;
  ended: Promise<unknown>;
  stop(): Promise<unknown>;
}

/** Starts the command line of this project in a process of its own, as on a terminal. */
function startCommand(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Command {
  const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const child: ChildProcess = spawn(process.execPath, ['--import', asTerminal, 'src/cli/main.ts', ...args], {
    cwd: root,
    env: { PATH: path, TZ: 'UTC', TERM: 'xterm-256color', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  }
  const ended = once(child, 'close');
  const printed = async (expression: RegExp): Promise<RegExpExecArray> => {
    const found = expression.exec(text);
    if (found !== null) return found;
    const end = ended.then(() => Promise.reject(new Error(`It ended without ${expression}:\n${text}`)));
    await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), end]);
    return printed(expression);
  };
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { text: () => text, printed, ended, stop };
}
