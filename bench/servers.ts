import { setTimeout as delay } from 'node:timers/promises';
import { type Child, end, hasEnded, startNode } from './children.ts';
import { driveCount, freePort, get, type Reply } from './http.ts';

/** A server that answers. */
export interface Server {
  child: Child;
  baseUrl: string;
  /** Its first valid answer to `GET` of the page. */
  first: Reply;
}

/** A server that can be started, as often as wanted. */
export interface Subject {
  name: string;
  /** Resolves at the first valid answer. */
  start(): Promise<Server>;
}

/** What is read under load. */
export const page = '/drives?limit=20&offset=0';
/** Below which the mock serves. */
export const basePath = '/v0.1';
const startLimitMs = 60_000;
const pauseMs = 2;

/** A server that Node starts with these arguments. */
export function subject(name: string, base: string, argsFor: (port: string) => readonly string[]): Subject {
  const start = async () => {
    const port = await freePort();
    const baseUrl = `http://127.0.0.1:${port}${base}`;
    const child = startNode(argsFor(String(port)));
    try {
      return { child, baseUrl, first: await firstAnswer(child, baseUrl + page) };
    } catch (error) {
      await end(child);
      throw error;
    }
  };
  return { name, start };
}

/** The mock as it ships, with all that is on by default. */
export function mock(...options: readonly string[]): Subject {
  return subject('this mock', basePath, (port) => ['dist/src/cli/main.js', 'mock', '--port', port, ...options]);
}

/** The limit: Node's own server, which answers with the bytes of a file. */
export function bare(bodyFile: string): Subject {
  return subject('bare node:http', basePath, (port) => ['bench/bare-server.ts', port, bodyFile]);
}

/** The limit of a server that parses and answers JSON. */
export function bareJson(answersFile: string): Subject {
  return subject('bare JSON server', basePath, (port) => ['bench/bare-json-server.ts', port, answersFile]);
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
