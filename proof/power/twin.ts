import type { IncomingMessage } from 'node:http';
import type { CheckResult } from '../../conformance/report/report.ts';
import { runSuite } from '../../conformance/run/run.ts';
import type { Exchange } from '../../conformance/target/reply.ts';
import { createMock } from '../../src/index.ts';
import { limitsOf, settingsForMock } from './fixtures.ts';
import { startFront } from './front.ts';
import { companyOf } from './guard/company.ts';
import type { Mutant, WireAnswer, WireFault } from './mutant.ts';
import { startMutant } from './start-mutant.ts';

// Both servers must say the same times.
const clock = '2026-11-20T09:00:00.000Z';

/** A finding on a mutant, and which of the requests that show it a sound twin answers differently. */
export interface TwinFinding {
  check: CheckResult;
  differs: boolean[];
}

/**
 * Runs the check that kills a mutant, and what it needs. Each request also goes to a sound server, which is in the same state but for what the
 * fault did to it.
 */
export async function findWithTwin(mutant: Mutant): Promise<TwinFinding | undefined> {
  const { mock, baseUrl, fixtures, close } = await startMutant(mutant, { clock });
  const twin = await createMock({ seed: 'demo', profile: mutant.profile ?? {}, clock });
  const differing = new Set<string>();
  const front = await startFront(baseUrl, compareWith(twin.url, new URL(baseUrl).pathname.length, differing));
  try {
    const settings = settingsForMock(mock, front.baseUrl, 'write', { fixtures, settleMs: 300, ...limitsOf(mutant) });
    const report = await runSuite(settings, {
      tool: 'twin',
      only: [mutant.check, ...companyOf(mutant.check)],
      observe: false,
    });
    const check = report.checks.find(({ id }) => id === mutant.check);
    if (check?.evidence === undefined) return undefined;
    const isTouched = ({ request }: Exchange) =>
      differing.has(
        keyOf(request.method, request.url.slice(front.baseUrl.length), request.body ?? '', request.headers),
      );
    return { check, differs: check.evidence.exchanges.map(isTouched) };
  } finally {
    await front.close();
    await close();
    await twin.close();
  }
}

/** Hands each request on, asks the twin too, and notes the requests that the two answer differently. */
function compareWith(twinUrl: string, prefixLength: number, differing: Set<string>): WireFault {
  return async (request, response, forward) => {
    const path = (request.url ?? '').slice(prefixLength);
    const { promise, resolve } = Promise.withResolvers<string>();
    const read = (sent: string) => {
      resolve(sent);
      return sent;
    };
    const answered = forward({ body: read });
    // It may fail before it is waited for.
    answered.catch(() => undefined);
    const body = await promise;
    const sound = await askTwin(twinUrl + path, request, body);
    const key = keyOf(request.method ?? '', path, body, request.headers);
    const differedBefore = differing.has(key);
    // Until the answer comes: it may never do.
    differing.add(key);
    const answer = await answered;
    if (!differedBefore && isSame(answer, sound)) differing.delete(key);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  };
}

async function askTwin(
  url: string,
  { method = 'GET', rawHeaders }: IncomingMessage,
  body: string,
): Promise<WireAnswer> {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!/^(connection|content-length|host|transfer-encoding)$/i.test(name))
      headers.append(name, rawHeaders[index + 1] ?? '');
  }
  const response = await fetch(url, { method, headers, redirect: 'manual', ...(body === '' ? {} : { body }) });
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
}

function isSame(one: WireAnswer, other: WireAnswer): boolean {
  const meaning = ({ headers }: WireAnswer) =>
    Object.entries(headers).flatMap(([name, value]) => (/^content-(type|encoding)$/i.test(name) ? [value] : []));
  const isSameBody = one.status === other.status && one.body === other.body;
  return isSameBody && meaning(one).join() === meaning(other).join();
}

/** A request by what it says; of the key only the header that carries it. */
function keyOf(method: string, path: string, body: string, headers: object): string {
  const authHeaders = Object.keys(headers).filter((name) => /^(x-api-key|authorization)$/i.test(name));
  // On the wire an apostrophe in a query is escaped.
  return JSON.stringify([
    method,
    path.replaceAll('%27', "'"),
    body,
    authHeaders.map((name) => name.toLowerCase()).sort(),
  ]);
}
