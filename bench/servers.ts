import { setTimeout as delay } from 'node:timers/promises';
import { type Child, end, hasEnded, startNode } from './children.ts';
import { driveCount, freePort, get, type Reply } from './http.ts';

/** A server that answers. */
export interface Server {
  child: Child;
  baseUrl: string;
  /** Where `GET /drives` is. */
  drivesUrl: string;
  /** Its first valid answer. */
  first: Reply;
}

/** A server that can be started, as often as wanted. */
export interface Subject {
  name: string;
  /** Resolves at the first valid answer. */
  start(): Promise<Server>;
}

/** Samples of each subject in turn, round by round. */
export async function inTurn<Name extends string, Sample>(
  subjects: Readonly<Record<Name, Subject>>,
  rounds: number,
  sample: (subject: Subject, round: number) => Promise<Sample>,
): Promise<Record<Name, Sample[]>> {
  const names = Object.keys(subjects) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Sample[]>;
  for (let round = 1; round <= rounds; round++) {
    for (const name of names) samples[name].push(await sample(subjects[name], round));
  }
  return samples;
}

/** What is asked for under load. */
export const page = '/drives?limit=20';
const startLimitMs = 60_000;
const pauseMs = 2;

/** The mock as it ships, with all that is on by default. */
export function mock(seedFile?: string, ...more: readonly string[]): Subject {
  const seed = seedFile === undefined ? [] : ['--seed', seedFile];
  const start = () => startTelling(['dist/src/cli/main.js', 'mock', '--port', '0', ...seed, ...more]);
  return { name: 'mock', start };
}

/** The mock in a clone, started as the README says. */
export function npmStart(): Subject {
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new Error('Start the benchmark with npm: npm run bench.');
  return { name: 'npm start', start: () => startTelling([npm, 'start', '--silent', '--', '--port', '0']) };
}

/** The limit: Node's own server, which answers with the bytes of a file. */
export function bare(bodyFile: string, contentType: string): Subject {
  return { name: 'bare node:http', start: () => startTelling(['bench/bare-server.ts', bodyFile, contentType]) };
}

/** The limit of a server that parses and answers JSON. */
export function bareJson(answersFile: string): Subject {
  return { name: 'bare JSON server', start: () => startTelling(['bench/bare-json-server.ts', answersFile]) };
}

/** The proxy as it ships, in front of another server. */
export function proxy(target: Server): Subject {
  const args = ['dist/src/cli/main.js', 'proxy', '--port', '0', '--upstream', target.baseUrl];
  return { name: 'proxy', start: () => startTelling(args) };
}

/** The limit of a proxy: it forwards and judges nothing. */
export function bareProxy(target: Server): Subject {
  const { port } = new URL(target.baseUrl);
  return { name: 'bare proxy', start: () => startTelling(['bench/bare-proxy.ts', port]) };
}

/** Prism with its defaults. It does not tell its port, and it knows no base path. */
export function prism(contractFile: string): Subject {
  const start = async () => {
    const port = await freePort();
    const child = startNode(['node_modules/.bin/prism', 'mock', '-p', String(port), contractFile]);
    child.process.stdout?.resume();
    return answering(child, async () => `http://127.0.0.1:${port}`);
  };
  return { name: 'Prism', start };
}

function startTelling(args: readonly string[]): Promise<Server> {
  const child = startNode(args);
  return answering(child, () => toldUrl(child));
}

async function answering(child: Child, baseUrl: () => Promise<string>): Promise<Server> {
  try {
    const url = await baseUrl();
    const drivesUrl = url + page;
    return { child, baseUrl: url, drivesUrl, first: await firstAnswer(child, drivesUrl) };
  } catch (error) {
    await end(child);
    throw error;
  }
}

// The first URL that it writes. What it writes later is read too, as a full pipe would slow it down, and dropped.
function toldUrl({ process: child, complaint }: Child): Promise<string> {
  return new Promise((resolve, reject) => {
    let told = '';
    const read = (part: Buffer) => {
      told += part.toString('latin1');
      const url = /https?:\/\/[^\s"]+(?=[\s"])/.exec(told)?.[0];
      if (url === undefined) return;
      child.stdout?.off('data', read).resume();
      resolve(url);
    };
    child.stdout?.on('data', read);
    const giveUp = () => reject(new Error(`A server did not tell its address. ${complaint()}`));
    child.once('exit', giveUp);
    setTimeout(giveUp, startLimitMs).unref();
  });
}

async function firstAnswer(child: Child, url: string): Promise<Reply> {
  const deadlineMs = performance.now() + startLimitMs;
  for (;;) {
    const reply = await get(url).catch(() => undefined);
    if (reply !== undefined && driveCount(reply) > 0) return reply;
    const isLate = performance.now() > deadlineMs;
    if (isLate || hasEnded(child.process))
      throw new Error(`${url} never returned a valid response. ${child.complaint()}`);
    await delay(pauseMs);
  }
}
