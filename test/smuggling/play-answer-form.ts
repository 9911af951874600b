import { setTimeout } from 'node:timers/promises';
import { exchange, type RawReply } from '../support/raw-http.ts';
import type { WireRequest } from '../support/wire-upstream.ts';
import type { AnswerForm } from './answer-forms.ts';
import { head } from './form.ts';
import { type Played, play, statusesOf } from './stage.ts';
import { unlike } from './unlike.ts';

const odd = '/v0.1/agents?odd';
const next = '/v0.1/agents?next';
// Pieces follow each other in 20 ms each; a late one must find the other client on its way.
const pieceMs = 25;

/**
 * Asks for a form, and on the same connection for something ordinary. The client must get one answer to each, and
 * another client only its own.
 */
export function playAnswerForm(form: AnswerForm, judgeLimitBytes: number): Promise<Played> {
  const bytes = head(form.method, [], { target: odd }) + head('GET', [], { target: next });
  return play(
    { judgeLimitBytes, answer: ({ target }) => (target === odd ? form.answer : echoOf(target)) },
    async ({ proxy }) => {
      const reply = await exchange(proxy.url, bytes, { methods: [form.method, 'GET'] });
      await setTimeout(form.answer.pieces.length * pieceMs);
      return reply;
    },
    (_, reply, sent) => [...judgeReply(form, reply), ...judgeRequests(form, sent)],
  );
}

function echoOf(target: string): string {
  const body = JSON.stringify({ target });
  return `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function judgeReply({ expected }: AnswerForm, reply: RawReply): string[] {
  const got = reply.answers.map(({ status, body }) => ({ status, body: body.toString('latin1') }));
  const after = { status: 200, body: JSON.stringify({ target: next }) };
  if (expected === 'cut off') {
    return [...unlike('whole answers', got, []), ...(reply.isClosed ? [] : ['the connection stays open'])];
  }
  if (expected === 'replaced') return unlike('the client got', [statusesOf(reply)[0], ...got.slice(1)], [502, after]);
  return [...unlike('the client got', got, [expected, after]), ...unlike('bytes after it', reply.rest.length, 0)];
}

function judgeRequests({ expected, method }: AnswerForm, sent: readonly WireRequest[]): string[] {
  const got = sent.map((request) => `${request.method} ${request.target}`);
  // After a connection that was cut off the second request may not be sent any more.
  const second = expected === 'cut off' && got.length === 1 ? [] : [`GET ${next}`];
  return unlike('the upstream got', got, [`${method} ${odd}`, ...second]);
}
