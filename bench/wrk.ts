import { spawnSync } from 'node:child_process';
import { run } from './children.ts';

/** What wrk counted. */
export interface Loaded {
  requests: number;
  perSecond: number;
  /** Answers with a status of 400 or more. */
  refused: number;
}

/** One request that is sent again and again. */
export interface Sent {
  method: string;
  /** As it stands in the request. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

const patienceMs = 20_000;

/** Throws where there is no wrk, with what to do. */
export function requireWrk(): void {
  if (spawnSync('wrk', ['-v']).error !== undefined) throw new Error('Install wrk first. Debian: apt-get install wrk');
}

/** Sends requests from one thread over 32 connections. `args` say what is sent, `firstTree` where the numbers begin. */
export async function load(url: string, seconds: number, args: readonly string[], firstTree = 0): Promise<Loaded> {
  const command = ['-t1', '-c32', '--timeout', '20s', `-d${seconds}s`, ...args, url, String(firstTree)];
  const said = await run('wrk', command, seconds * 1000 + patienceMs);
  const count = (pattern: RegExp) => Number(pattern.exec(said)?.[1] ?? 0);
  const loaded = {
    requests: count(/(\d+) requests in/),
    perSecond: count(/Requests\/sec:\s+([\d.]+)/),
    refused: count(/Non-2xx or 3xx responses: (\d+)/),
  };
  if (loaded.requests === 0 || said.includes('Socket errors')) throw new Error(`Requests to ${url} failed: ${said}`);
  return loaded;
}

/** Stands in a path for a number that no other request has. */
export const eachTree = '{n}';

/** The script with which wrk sends these requests in turn. */
export function scriptOf(requests: readonly Sent[]): string {
  return `local requests = {
${requests.map((request) => `  ${JSON.stringify(textOf(request))},`).join('\n')}
}
local turn, tree = 0, 0

function init(args)
  tree = tonumber(args[1])
end

function request()
  turn = turn % #requests + 1
  local text, found = requests[turn]:gsub("${eachTree}", tree)
  tree = tree + found
  return text
end
`;
}

// A JSON string of such characters is one of Lua.
function textOf({ method, path, headers, body = '' }: Sent): string {
  const all = { host: '127.0.0.1', ...headers, 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
