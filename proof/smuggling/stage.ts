import { createProxy, type ProxyOptions, type ValidatingProxy } from '../../src/proxy/create-proxy.ts';
import { type RawReply, sendRaw } from '../../test/support/raw-http.ts';
import {
  echo,
  startWireUpstream,
  type WireOptions,
  type WireRequest,
  type WireUpstream,
} from '../../test/support/wire-upstream.ts';

/** Bodies are read whole before they are forwarded, or piece by piece. */
export const modes = [
  { taken: 'buffered', judgeLimitBytes: 1_048_576 },
  { taken: 'streamed', judgeLimitBytes: 0 },
];

/** What became of a form. */
export interface InUse {
  /** The statuses of the answers that the client got. */
  statuses: number[];
  /** How many whole requests of the client reached the upstream. */
  requests: number;
  /** What should be otherwise; empty when all is as expected. */
  deviations: string[];
}

/** A proxy in front of an upstream that reads bytes. */
export interface Stage {
  upstream: WireUpstream;
  proxy: ValidatingProxy;
  /** Errors of the proxy that should not happen. */
  unexpected: unknown[];
}

/**
 * Sets up a stage, has `act` send something through the proxy while another client asks for its own things, and judges
 * with `judge` when all connections are closed. Another client that gets anything but its own answers is a deviation.
 */
export async function carryOut(
  { answer, ...options }: Partial<ProxyOptions> & Pick<WireOptions, 'answer'>,
  act: (stage: Stage) => Promise<RawReply>,
  judge: (stage: Stage, reply: RawReply, sent: WireRequest[]) => string[],
): Promise<InUse> {
  const upstream = await startWireUpstream({
    answer: (request) => (isAnothers(request.target) || answer === undefined ? echo(request) : answer(request)),
  });
  const unexpected: unknown[] = [];
  const onUnexpected = (error: unknown) => void unexpected.push(error);
  const proxy = await createProxy({ upstream: upstream.url, onUnexpected, ...options });
  const stage = { upstream, proxy, unexpected };
  try {
    const neighbour = startNeighbour(proxy.url);
    const reply = await act(stage).finally(neighbour.stop);
    const strange = await neighbour.strange;
    await proxy.close();
    const leftovers = await upstream.drained();
    const sent = upstream.requests.filter(({ target }) => !isAnothers(target));
    const deviations = [
      ...strange,
      ...leftovers.map((bytes) => `the upstream got bytes of no request: ${JSON.stringify(bytes.slice(0, 80))}`),
      ...unexpected.map((error) => `an unexpected error in the proxy: ${error}`),
      ...judge(stage, reply, sent),
    ];
    return { statuses: statusesOf(reply), requests: sent.filter(({ isWhole }) => isWhole).length, deviations };
  } finally {
    await proxy.close();
    await upstream.close();
  }
}

const isAnothers = (target: string) => target.includes('?own=');

const asksAfter = 3;

/** Another client: it asks again and again until it is stopped, then three times more. */
function startNeighbour(url: string): { stop(): void; strange: Promise<string[]> } {
  let isStopped = false;
  const askAll = async () => {
    const strange: string[] = [];
    for (let index = 0, left = asksAfter; left > 0; index += 1) {
      if (isStopped) left -= 1;
      const target = `/v0.1/agents?own=${index}`;
      const { status, body } = await sendRaw(url, { method: 'GET', target, lines: ['X-API-Key: key-of-another'] });
      if (status !== 200 || body.toString() !== JSON.stringify({ target }))
        strange.push(`another client got ${status} ${body} for ${target}`);
    }
    return strange;
  };
  return {
    stop: () => {
      isStopped = true;
    },
    strange: askAll().catch((error) => [`another client got no answer: ${error}`]),
  };
}

// Node refuses without a length, and closes.
export function statusesOf({ answers, rest }: RawReply): number[] {
  const [, last] = /^HTTP\/1\.1 (\d{3}) .*\r\nConnection: close\r\n/s.exec(rest.toString('latin1')) ?? [];
  return [...answers.map(({ status }) => status), ...(last === undefined ? [] : [Number(last)])];
}
