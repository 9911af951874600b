/**
 * What code sees of `fetch` itself: of responses, requests and signals. There are no expected values here: what a fact
 * finds over HTTP is the truth, and all other edges on the same platform must find the same.
 */
import type { FetchOptions } from '../../src/browser/fetch.ts';

/** One edge of a mock, as code in a page or in Node uses it. */
export interface FactEdge {
  /** The base URL of the mock. */
  url: string;
  adminUrl: string;
  fetch: typeof globalThis.fetch;
}

export interface Fact {
  name: string;
  run(site: Site): Promise<unknown>;
  /** The only platform with this over HTTP; default: all. Chromium does not send streams over HTTP/1.1. */
  only?: 'node';
}

export const fact = (name: string, run: Fact['run']): Fact => ({ name, run });
export const inNode = (name: string, run: Fact['run']): Fact => ({ name, run, only: 'node' });

/** The mock for all facts. It is reset for each of them. */
export const factOptions: FetchOptions = {
  clock: '2026-03-02T08:15:00Z',
  set: { 'successStatus.publishAgentRevision': 204 },
  seed: {
    organizations: [
      {
        ...{ id: 'org-a', name: 'Acme', keys: ['key-a'] },
        agents: [{ id: 'agt-1', name: 'Writer', revisions: [{ id: 'rev-1' }] }],
        drives: [{ id: 'drv-1', name: 'Döcs' }],
      },
    ],
  },
};

/** What a fact works with. */
export interface Site extends FactEdge {
  /** Sends a request with a valid key. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /**
   * Adds a fault to all calls from now on. Not just to the next one, which may be a late call of the previous fact:
   * Chromium may still send a request that was aborted while it waited for another one to the same address.
   */
  fault(effect: object): Promise<void>;
  /** The number of drives. Removes all faults. */
  drives(): Promise<number>;
  /** A URL without the mock's address. */
  below(url: string): string;
}

const key = { 'x-api-key': 'key-a' };

function siteOf(edge: FactEdge): Site {
  const { url, adminUrl, fetch } = edge;
  const withKey = (init: RequestInit = {}): RequestInit => {
    const headers = new Headers(init.headers);
    if (!headers.has('x-api-key')) headers.set('x-api-key', key['x-api-key']);
    return { ...init, headers };
  };
  const ask = (path: string, init?: RequestInit) => fetch(url + path, withKey(init));
  return {
    ...edge,
    ask,
    fault: async (effect) => {
      const body = JSON.stringify({ effect });
      const headers = { 'content-type': 'application/json' };
      await (await fetch(`${adminUrl}/faults`, { method: 'POST', headers, body })).text();
    },
    drives: async () => {
      await fetch(`${adminUrl}/faults`, { method: 'DELETE' });
      return (await (await ask('/drives')).json()).pagination.total;
    },
    below: (text) => text.replaceAll(url, '<url>'),
  };
}

/** What facts find on an edge, by name. The mock is reset for each. */
export async function findAll(
  facts: readonly Fact[],
  edge: FactEdge,
  onStart?: (fact: Fact) => void,
): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const fact of facts) {
    await (await edge.fetch(`${edge.adminUrl}/reset`, { method: 'POST' })).text();
    onStart?.(fact);
    found[fact.name] = await Promise.race([find(fact, edge), hanging()]);
  }
  return found;
}

async function find({ run }: Fact, edge: FactEdge): Promise<unknown> {
  const found = await run(siteOf(edge)).catch((error: unknown) => ({ failed: kindOf(error) }));
  return JSON.parse(JSON.stringify(found ?? null));
}

// Only ends a fact that hangs.
function hanging(): Promise<string> {
  return new Promise((resolve) => setTimeout(() => resolve('hangs'), 10_000));
}

/** The kind of an error: its text is up to the platform. */
export function kindOf(error: unknown): string {
  if (error instanceof DOMException) return `DOMException ${error.name}`;
  if (error instanceof Error) return error.message.startsWith('my ') ? error.message : error.name;
  return `${typeof error} ${String(error)}`;
}

/** The kind of the error with which something fails. */
export async function failureOf(act: () => unknown): Promise<string> {
  try {
    await act();
    return 'none';
  } catch (error) {
    return kindOf(error);
  }
}

export const json = { 'content-type': 'application/json' };
export const creation = (name = 'New'): RequestInit => ({
  method: 'POST',
  headers: json,
  body: JSON.stringify({ name }),
});
