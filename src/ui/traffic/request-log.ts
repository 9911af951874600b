import { signal } from '@preact/signals';
import { callControl, isGone, readControl, scopeOf } from '../shared/control.ts';
import { follow } from '../shared/store.ts';
import type { TrafficEntry } from './judgement.ts';

interface RequestLogPage {
  requests: TrafficEntry[];
  kept: { entries: number };
}

/** The exchanges in the server's request log, as far as the page knows, newest first. */
export const exchanges = signal<readonly TrafficEntry[]>([]);

/** How many exchanges the request log keeps. */
export const kept = signal(0);

/** Whether the request log was read: before that, an empty list means nothing. */
export const isLoaded = signal(false);

let arrived: TrafficEntry[] = [];

/** Follows the request log until the returned function is called. */
export function followRequestLog(): () => void {
  return follow({
    onEvent: ({ name, data }) => {
      if (name !== 'exchange') return;
      if (arrived.length === 0) requestAnimationFrame(takeArrived);
      arrived.push(JSON.parse(data));
    },
    onOpen: async () => {
      await catchUp();
      isLoaded.value = true;
    },
  });
}

const readPage = (path: string) => readControl<RequestLogPage>(path);

// A busy mock sends hundreds a second; they are shown once per frame.
function takeArrived(): void {
  merge(arrived);
  arrived = [];
}

function merge(entries: readonly TrafficEntry[]): void {
  const all = new Map([...exchanges.value, ...entries].map((entry) => [entry.id, entry]));
  exchanges.value = [...all.values()].sort((one, other) => other.id - one.id).slice(0, kept.value);
}

/** Loads what arrived meanwhile: only new exchanges, unless it is a different request log. */
async function catchUp(): Promise<void> {
  const [known] = exchanges.value;
  const { requests, kept: limits } = await readPage('/requests?limit=1');
  kept.value = limits.entries;
  const [newest] = requests;
  if (newest === undefined) {
    exchanges.value = [];
    return;
  }
  const missing = known && (await loadSince(known, newest));
  if (missing !== undefined) return merge(missing);
  exchanges.value = [];
  // The visible part first: a large request log takes a while.
  merge((await readPage(`/requests?limit=${firstShown}`)).requests);
  isLoaded.value = true;
  if (exchanges.value.length >= firstShown) merge((await readPage('/requests')).requests);
}

const firstShown = 50;

/** The exchanges since a known one; undefined if that is not in this request log, for example after a restart. */
async function loadSince(known: TrafficEntry, newest: TrafficEntry): Promise<TrafficEntry[] | undefined> {
  if (newest.id < known.id) return undefined;
  const { requests } = await readPage(`/requests?limit=${newest.id - known.id + 1}`);
  const isSame = ({ id, requestId, time }: TrafficEntry) =>
    id === known.id && requestId === known.requestId && time === known.time;
  return requests.some(isSame) ? requests : undefined;
}

/** Removes exchanges from the request log, of one organization or of all. */
export async function clearRequestLog(organizationId: string | undefined): Promise<void> {
  await callControl(`/requests${scopeOf(organizationId)}`, { method: 'DELETE' });
  exchanges.value = exchanges.value.filter(
    (entry) => organizationId !== undefined && entry.organizationId !== organizationId,
  );
}

/** One exchange by its number; undefined if it has left the request log. */
export async function findExchange(id: number): Promise<TrafficEntry | undefined> {
  const known = exchanges.value.find((entry) => entry.id === id);
  if (known !== undefined) return known;
  return readControl<TrafficEntry>(`/requests/${id}`).catch((error) => {
    if (isGone(error)) return undefined;
    throw error;
  });
}
