import { setTimeout } from 'node:timers/promises';
import type { ValidatingProxy } from '../../src/proxy/create-proxy.ts';
import { exchange, type RawAnswer, type RawReply } from '../../test/support/raw-http.ts';
import type { WireRequest } from '../../test/support/wire-upstream.ts';
import type { AnswerForm } from './answer-forms.ts';
import { head } from './form.ts';
import { carryOut, type InUse, statusesOf } from './stage.ts';
import { unlike } from './unlike.ts';

const first = '/v0.1/agents?first';
const odd = '/v0.1/agents?odd';
const next = '/v0.1/agents?next';
// Pieces follow each other in 20 ms each; a late one must find the other client on its way.
const pieceMs = 25;

/** Whether the form is answered on a new connection to the upstream, or on one that was used before. */
export const places = ['new', 'used'] as const;

type Place = (typeof places)[number];

/**
 * Asks for a form, and on the same connection for something ordinary. The client must get one answer to each, and
 * another client only its own.
 */
export async function sendAnswerForm(form: AnswerForm, judgeLimitBytes: number, place: Place = 'new'): Promise<InUse> {
  const before = place === 'used' ? head('GET', [], { target: first }) : '';
  const asked = before + head(form.method, [], { target: odd });
  const after = head('GET', [], { target: next });
  const methods = [...(before === '' ? [] : ['GET']), form.method, 'GET'];
  const applied = await carryOut(
    { judgeLimitBytes, answer: ({ target }) => (target === odd ? form.answer : echoOf(target)) },
    async ({ proxy, upstream }) => {
      const reply = await (isLate(form)
        ? exchange(proxy.url, asked, {
            methods,
            next: () => upstream.sent().then(() => after),
            nextAfter: methods.length - 1,
          })
        : exchange(proxy.url, asked + after, { methods }));
      await setTimeout(form.answer.pieces.length * pieceMs);
      return place === 'used' ? { ...reply, answers: reply.answers.slice(1) } : reply;
    },
    ({ proxy }, reply, sent) => [
      ...judgeReply(form, reply),
      ...reply.answers.flatMap(ambiguitiesIn),
      ...judgeRequests(
        form,
        sent.filter(({ target }) => target !== first),
        place,
      ),
      ...judgeRequestLog(form, proxy),
    ],
  );
  return place === 'used' ? { ...applied, requests: applied.requests - 1 } : applied;
}

// What comes late can look like the answer to the request after it, also to a client without a proxy. It comes before.
function isLate({ group, answer }: AnswerForm): boolean {
  return group === 'too much' && answer.pieces.length > 1;
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

function judgeRequests({ answer, expected, method }: AnswerForm, sent: readonly WireRequest[], place: Place): string[] {
  const got = sent.map((request) => `${request.method} ${request.target}`);
  // After a connection that was cut off the second request may not be sent any more.
  const second = expected === 'cut off' && got.length === 1 ? [] : [`GET ${next}`];
  // A used connection that ends without a byte may have ended before the request came: it is sent once more.
  const times = place === 'used' && method === 'GET' && answer.pieces.join('') === '' ? 2 : 1;
  return unlike('the upstream got', got, [...Array(times).fill(`${method} ${odd}`), ...second]);
}

/** Why two clients could read different messages out of an answer. */
function ambiguitiesIn({ status, headers }: RawAnswer): string[] {
  const alike = (name: string) => headers.filter(([each]) => each.replaceAll('_', '-') === name);
  const [lengths, codings] = [alike('content-length'), alike('transfer-encoding')];
  const rules: [broken: boolean, what: string][] = [
    [lengths.length + codings.length > 1, 'several framings'],
    [lengths.some(([, value]) => !/^(0|[1-9]\d*)$/.test(value)), 'an odd length'],
    [codings.some(([, value]) => value !== 'chunked'), 'an odd transfer coding'],
    [status === 204 && lengths.length + codings.length > 0, 'a framing with status 204'],
    [alike('trailer').length > 0 && codings.length === 0, 'Trailer without chunks'],
    [/(^|,)\s*content-length/i.test(alike('connection').join()), 'Connection names the framing'],
  ];
  return rules.filter(([broken]) => broken).map(([, what]) => `${what}: ${JSON.stringify(headers)}`);
}

function judgeRequestLog({ group, expected }: AnswerForm, { requestLog, summary }: ValidatingProxy): string[] {
  const kinds = requestLog.entries.filter(({ path }) => path === odd).map(({ failure }) => failure?.kind ?? 'none');
  const broken = summary().server.filter(({ code }) => code === 'malformedAnswer').length;
  const isServersFault = expected === 'replaced' && group !== 'early end';
  return [
    ...unlike('the request log shows', kinds, [typeof expected === 'string' ? 'upstreamBroke' : 'none']),
    ...(isServersFault ? unlike('violations of the server', broken, 1) : []),
  ];
}
