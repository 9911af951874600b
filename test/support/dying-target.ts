import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startFront } from '../../proof/power/front.ts';
import { passOn } from '../../proof/power/mutants/wire-faults.ts';

/** How a target stops responding: its port closes, connections break, requests hang, or a gateway responds instead. */
export const deaths = ['closes', 'resets', 'hangs', 'gateway'] as const;
/** How a key ends: it expires, or loses its permissions. */
export const refusals = { expires: 401, suspended: 403 } as const;
export type Death = (typeof deaths)[number] | keyof typeof refusals;

/** When and how a target stops responding. */
export interface Dying {
  death: Death;
  /** The number of requests answered before that. */
  answers: number;
  /** Whether the request at which it dies is still performed. */
  carriesOut: boolean;
  /** It responds again after this many `GET /agents`. A closed port stays closed. */
  backAfter?: number;
}

/** Starts a front of the mock at `mockUrl` that forwards all requests until it dies. `victim`: the first without a response. */
export async function startDying(mockUrl: string, dying: Dying) {
  const { death, answers, carriesOut, backAfter = Number.POSITIVE_INFINITY } = dying;
  let [seen, calls] = [0, 0];
  let victim: string | undefined;
  const { baseUrl, close } = await startFront(mockUrl, async (request, response, forward) => {
    seen++;
    if (victim !== undefined && request.url?.endsWith('/agents')) calls++;
    // Who has no valid key is refused as before.
    const isSpared = death in refusals && !hasKey(request);
    if (seen <= answers || calls >= backAfter || isSpared) return passOn(request, response, forward);
    const isVictim = victim === undefined;
    victim ??= `${request.method} ${request.url}`;
    if (isVictim && carriesOut) await forward();
    if (death === 'expires' || death === 'suspended') {
      response.writeHead(refusals[death], { 'content-type': 'application/json' }).end('{"message":"No access"}');
    } else if (death === 'gateway') response.writeHead(502).end();
    else if (death !== 'hangs') request.socket.destroy();
    if (death === 'closes') void close();
  });
  return { baseUrl, victim: () => victim, close };
}

function hasKey({ headers }: IncomingMessage): boolean {
  return /^(Bearer )?demo-key(-2)?$/i.test(headers.authorization ?? String(headers['x-api-key']));
}

/** Has the mock at `mockUrl` perform a request. Returns what gives its answer. */
export async function answerOf(
  mockUrl: string,
  { method, url = '', headers }: IncomingMessage,
  body: Buffer,
): Promise<(response: ServerResponse) => void> {
  const outgoing = sendRequest(new URL(url, mockUrl), { method, headers, agent: false }).end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const content = await buffer(incoming);
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...kept } = incoming.headers;
  return (response) => void response.writeHead(incoming.statusCode ?? 0, kept).end(content);
}
