import { computed, signal } from '@preact/signals';
import type { ServedIndex } from '../../app/served-index.ts';
import { keptSignal } from './kept.ts';

/** Which server the page belongs to, by its address: a proxy serves it below its admin API. */
export const server: 'mock' | 'proxy' = location.pathname.startsWith('/__admin') ? 'proxy' : 'mock';

/** What the page needs to know about its server: a mock sends the whole index. */
export type PageIndex = Pick<ServedIndex, 'version' | 'baseUrl' | 'adminApi'> &
  Partial<ServedIndex> & { upstream?: string };

/** What the server serves, and where; undefined until it has responded. */
export const index = signal<PageIndex | undefined>(undefined);

export const isReachable = signal(true);

/** The token of the admin API, kept until the tab is closed. */
const token = keptSignal('agent-platform-admin-token', '');

export const isTokenRefused = signal(false);

/** Whether the admin API can be used: `asks` needs the token first; for `none`, {@link whyNone} says why. */
export const controlState = computed<'unknown' | 'ready' | 'asks' | 'none'>(() => {
  const access = index.value?.adminApi.access;
  if (access === undefined) return 'unknown';
  if (access === 'closed' || access === 'off') return 'none';
  return access === 'token' && (token.value === '' || isTokenRefused.value) ? 'asks' : 'ready';
});

/** Why there is no admin API, and the option that enables it. */
export const whyNone = computed(() => index.value?.adminApi.why ?? '');

export function giveToken(given: string): void {
  token.value = given;
  isTokenRefused.value = false;
}

export async function loadIndex(): Promise<void> {
  if (server === 'proxy') return loadProxyIndex();
  const response = await fetch('/', { headers: { accept: 'application/json' } }).catch(() => undefined);
  isReachable.value = response?.ok === true;
  if (response?.ok) index.value = (await response.json()) as ServedIndex;
}

// At `/`, a proxy returns its upstream's response.
async function loadProxyIndex(): Promise<void> {
  const adminApi = { url: `${location.origin}/__admin` };
  try {
    const version = await readControl<Omit<PageIndex, 'adminApi'>>('/version');
    index.value = { ...version, adminApi: { ...adminApi, access: 'open' } };
  } catch (error) {
    const { status, message: why } = error as ControlError;
    if (status === 0) return;
    index.value = { version: '', baseUrl: '', adminApi: { ...adminApi, access: 'closed', why } };
  }
}

/** An error response of the admin API, in words. */
export class ControlError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'ControlError';
    this.status = status;
  }
}

/** Whether what was asked for is not there (any more). */
export function isGone(error: unknown): boolean {
  return error instanceof ControlError && error.status === 404;
}

interface ControlCall {
  method?: string;
  body?: unknown;
  signal?: AbortSignal;
}

/** Calls the admin API. `path` is relative to it. Throws a {@link ControlError} for an error response. */
export async function callControl(path: string, call: ControlCall = {}): Promise<Response> {
  const { method = 'GET', body, signal: stop } = call;
  const headers = {
    ...(token.value === '' ? {} : { authorization: `Bearer ${token.value}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const sent = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await fetch(`/__admin${path}`, { ...sent, ...(stop && { signal: stop }) }).catch((error) => {
    if (stop?.aborted) throw error;
    isReachable.value = false;
    throw new ControlError(0, `The ${server} does not respond. Is it still running?`);
  });
  isReachable.value = true;
  if (response.status === 401) isTokenRefused.value = true;
  if (!response.ok) throw new ControlError(response.status, await detailOf(response));
  return response;
}

/** The body of an admin API response; an empty object if it has none. */
export async function readControl<T>(path: string, call?: ControlCall): Promise<T> {
  const response = await callControl(path, call);
  return (response.status === 204 ? {} : await response.json()) as T;
}

/** The query that limits a call to one organization; nothing for all. */
export function scopeOf(organization: string | undefined): string {
  return organization === undefined ? '' : `?organization=${encodeURIComponent(organization)}`;
}

/** The maximum number of records in one response, so that no single response takes long. */
export const pageSize = 1_000;

/** A whole list, read in parts. `path` has no query. */
export async function readAll<T>(path: string): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const part = await readControl<T[]>(`${path}?limit=${pageSize}&offset=${all.length}`);
    all.push(...part);
    if (part.length < pageSize) return all;
  }
}

async function detailOf(response: Response): Promise<string> {
  const problem: unknown = await response.json().catch(() => undefined);
  const detail = (problem as { detail?: unknown } | undefined)?.detail;
  return typeof detail === 'string' ? detail : `The admin API returned status ${response.status}.`;
}
