import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { WireAnswer, WireFault } from '../mutant.ts';
import { changeAnswer, isRefusal, operationIdOf, pathOf, withBody, withHeader, write } from '../mutants/wire-faults.ts';
import type { Oddity } from './oddity.ts';

/** Hands on, and writes what comes in another way. */
function writing(writeOddly: (response: ServerResponse, answer: WireAnswer) => void | Promise<void>): WireFault {
  return async (_request, response, forward) => writeOddly(response, await forward());
}

/** Does something to the connection behind each answer. */
function afterAnswers(act: (socket: Socket) => void): WireFault {
  return writing((response, answer) => {
    const { socket } = response;
    response.once('finish', () => socket && act(socket));
    write(response, answer);
  });
}

function framed(headers: Record<string, string>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length');
  return Object.fromEntries(kept);
}

async function writeInPieces(response: ServerResponse, { status, headers, body }: WireAnswer): Promise<void> {
  if (status === 204) return void response.writeHead(status, framed(headers)).end();
  response.writeHead(status, framed(headers));
  const bytes = Buffer.from(body);
  for (let start = 0; start < bytes.length; start += 4_001) response.write(bytes.subarray(start, start + 4_001));
  response.end();
}

function writeZippedAs(encoding: string) {
  return (response: ServerResponse, { status, headers, body }: WireAnswer): void => {
    if (body === '') return void response.writeHead(status, headers).end();
    response.writeHead(status, { ...framed(headers), 'content-encoding': encoding }).end(gzipSync(body));
  };
}

// The status line of HTTP/1.0, no length, and the end of the connection as the end of the body.
function writeOld(response: ServerResponse, { status, headers, body }: WireAnswer): void {
  const lines = Object.entries(framed(headers)).map(([name, value]) => `${name.toUpperCase()}: ${value}`);
  response.socket?.end(`HTTP/1.0 ${status} Some Reason\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

function writeWithoutDate(response: ServerResponse, answer: WireAnswer): void {
  response.sendDate = false;
  const renamed = Object.entries(withHeader(answer, 'date', undefined).headers).map(([name, value]) => [
    name.toUpperCase(),
    /^application\/json/.test(value) ? 'application/vnd.api+json' : value,
  ]);
  write(response, { ...answer, headers: Object.fromEntries(renamed) });
}

const page = (status: number) => `<!doctype html><title>${status}</title><p>That did not work.`;

/** How answers come over the wire. */
export const transport: Record<string, Oddity> = {
  'connection-closes-after-each-answer': {
    why: 'Section 1 asks for HTTP, and HTTP lets a server close after each answer and say so.',
    wire: () =>
      changeAnswer(
        () => true,
        (answer) => withHeader(answer, 'connection', 'close'),
      ),
  },
  'connection-closes-without-a-word': {
    why: 'Section 1: HTTP lets a server close a connection that idles at any time, without saying so before.',
    wire: () => afterAnswers((socket) => socket.end()),
  },
  'connection-idles-for-twenty-milliseconds': {
    why: 'Section 1: how long an idle connection is kept is up to the server.',
    wire: () => afterAnswers((socket) => socket.setTimeout(20)),
  },
  'http-1-0': {
    why: 'Section 1: an HTTP server may answer as one of version 1.0.',
    wire: () => writing(writeOld),
  },
  'answers-in-chunks': {
    why: 'Section 1: how HTTP frames a body is up to the server.',
    wire: () => writing(writeInPieces),
  },
  'answers-zipped': {
    why: 'Section 1: the suite says that it takes gzip, so HTTP lets the server send it.',
    wire: () => writing(writeZippedAs('gzip')),
  },
  'answers-zipped-under-the-old-name': {
    why: 'Section 1: HTTP has a recipient take x-gzip for gzip.',
    wire: () => writing(writeZippedAs('x-gzip')),
  },
  'early-hints': {
    why: 'Section 1: HTTP lets any number of 1xx answers come before the final one.',
    wire: () => async (_request, response, forward) => {
      response.writeContinue();
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      write(response, await forward());
    },
  },
  'visible-headers-and-no-date': {
    why: 'Header names have no case in HTTP; a server without a clock sends no Date; the head asks for JSON, not for one media type.',
    wire: () => writing(writeWithoutDate),
  },
  'large-refusals': {
    why: 'Section 7: the shape of error bodies is not shown, nor is their size.',
    wire: () =>
      changeAnswer(isRefusal, (answer) =>
        withBody(answer, JSON.stringify({ error: 'refused', trace: 'at some place, '.repeat(20_000) })),
      ),
  },
  'refusals-as-pages': {
    why: 'Section 7: error bodies are not shown; the head (bodies are JSON) makes it a should at most.',
    mayWarn: ['*.refusal-is-json'],
    wire: () =>
      changeAnswer(isRefusal, (answer) =>
        withHeader(withBody(answer, page(answer.status)), 'content-type', 'text/html'),
      ),
  },
  'no-key-is-sent-to-the-login-page': {
    why: 'Section 5.4 shows 401 for the tools only; a redirect lets no one through.',
    mayWarn: ['*.no-key-is-401', '*.wrong-key-is-401', '*.key-comes-first'],
    wire: () =>
      changeAnswer(
        (status, request) => status === 401 && operationIdOf(request) !== 'listMcpServerTools',
        () => ({ status: 302, headers: { location: '/login' }, body: '' }),
      ),
  },
  'base-url-with-prefix': {
    why: 'Head: the base URL ends with v0.1; what stands before is up to the server.',
    prefix: '/sandbox%20one/~x/a%2Fb/api/v0.1',
  },
  'other-paths-are-redirected': {
    why: 'Section 4 states ten paths; what is at others is not stated.',
    wire: () => async (request, response, forward) => {
      const path = pathOf(request.url ?? '');
      if (operationIdOf(request) !== undefined) return write(response, await forward());
      write(response, { status: 308, headers: { location: `${path}/` }, body: '' });
    },
  },
  'answers-take-a-while': {
    why: 'No section states how soon an answer comes.',
    wire: () => async (_request, response, forward) => {
      await setTimeout(15);
      write(response, await forward());
    },
  },
};
