import { createHeadersRedact, type HeaderPair, redactHeaders } from '../../lib/secrets.ts';
import type { OperationId } from '../../openapi/contract/operations.ts';
import type { Answer, RequestHeaders } from '../engine/call.ts';

/** One request and its response, for the log. */
export interface Exchange {
  method: string;
  path: string;
  /** {@link noStatus} if a fault lost the response. */
  status: number;
  durationMs: number;
  requestId: string;
  /** The open points that shaped the response, as in `X-Open-Points`; absent if the engine did not create it. */
  openPoints?: string | undefined;
  /** Further notes for the log: why the call was refused, which sandboxes were retired for it. */
  notes?: readonly string[];
}

/** The status of a response that was never sent. */
export const noStatus = 0;

/**
 * One exchange of the mock, unprocessed: it is formatted and redacted when somebody reads it. It holds no objects
 * created for it alone, and always has all fields: records are overwritten by later ones.
 */
export interface RequestLogRecord {
  timeMs: number;
  durationMs: number;
  method: string;
  url: string;
  requestId: string;
  headers: RequestHeaders;
  body: Uint8Array | undefined;
  status: number;
  answerHeaders: Answer['headers'];
  answerBody: string | undefined;
  openPoints: string | undefined;
  operationId: OperationId | undefined;
  organizationId: string | undefined;
  faults: readonly string[] | undefined;
  /** Whether the bodies were removed to make room. */
  isStripped: boolean;
}

/** What a response adds to the record of its exchange. */
export function recordOf({ status, headers, body, openPoints, about }: Answer) {
  const { operationId, organizationId, faults } = about ?? nothing;
  return { status, answerHeaders: headers, answerBody: body, openPoints, operationId, organizationId, faults };
}

const nothing: Partial<NonNullable<Answer['about']>> = {};

export type MockRequestLog = RequestLog<RequestLogRecord>;

/** A request log that removes the oldest bodies first. The bodies of one exchange get at most an eighth of it. */
export function createMockRequestLog(limits: RequestLogLimits): MockRequestLog {
  return new RequestLog<RequestLogRecord>(limits, {
    largestShare: 1 / 8,
    shrink: (record) => ({ ...record, isStripped: true, body: undefined, answerBody: '' }),
    overwrite: Object.assign,
  });
}

/** One exchange as the admin API shows it. Keys are redacted. */
export interface RequestLogEntry {
  /** Counts from 0 since the start. */
  id: number;
  /** An ISO date-time, by the mock's clock. */
  time: string;
  durationMs: number;
  requestId: string;
  /** Absent if the request was not for an operation. */
  operationId?: string;
  /** Absent if the request had no valid key. */
  organizationId?: string;
  request: { method: string; url: string; headers: Record<string, string>; body?: string };
  answer: { status: number; headers: Record<string, string>; body?: string };
  /** The faults that applied to it. */
  faults?: readonly string[];
  /** The open points that shaped the response. */
  openPoints?: readonly string[];
  /** Whether the bodies were too large, or were removed to make room. */
  isStripped?: boolean;
}

function pairsOf(headers: RequestHeaders): HeaderPair[] {
  return Object.entries(headers).map(([name, value]) => [name, String(value)]);
}

/** An exchange in readable form. */
export function toEntry({ number, entry }: Recorded<RequestLogRecord>): RequestLogEntry {
  const { timeMs, durationMs, requestId, method, url, headers, body, openPoints } = entry;
  const redact = createHeadersRedact(headers);
  const bodyOf = (text: string | undefined) => (text === undefined || text === '' ? {} : { body: redact(text) });
  return {
    ...{ id: number, time: new Date(timeMs).toISOString(), durationMs: Math.round(durationMs * 100) / 100 },
    requestId: redact(requestId),
    ...aboutOf(entry),
    request: {
      ...{ method, url: redact(url), headers: redactHeaders(pairsOf(headers), redact) },
      ...bodyOf(body && new TextDecoder().decode(body)),
    },
    answer: {
      ...{ status: entry.status, headers: redactHeaders(pairsOf(entry.answerHeaders), redact) },
      ...bodyOf(entry.answerBody),
    },
    ...(openPoints === undefined ? {} : { openPoints: openPoints.split(', ') }),
    ...(entry.isStripped ? { isStripped: true } : {}),
  };
}

function aboutOf({ operationId, organizationId, faults }: RequestLogRecord): Partial<RequestLogEntry> {
  return { ...(operationId && { operationId }), ...(organizationId && { organizationId }), ...(faults && { faults }) };
}

/** How much a request log holds. */
export interface RequestLogLimits {
  entries: number;
  /** For all bodies together. */
  bodyBytes: number;
}

/** One exchange in a request log, with its number; numbers count from 0 since the start. */
export interface Recorded<Entry> {
  readonly number: number;
  readonly entry: Entry;
}

/** How a request log makes room. */
interface RequestLogPolicy<Entry> {
  /** Entries larger than this share of all bytes are shrunk immediately. */
  largestShare: number;
  /** The entry without its large parts; undefined if it must be dropped as a whole. */
  shrink(entry: Entry): Entry | undefined;
  /**
   * Copies a new entry into the one it replaces. Garbage that lived for a while is the most expensive to collect; this
   * leaves none. Absent: the new entry itself is kept.
   */
  overwrite?(leaving: Entry, entry: Entry): void;
}

interface Slot<Entry> {
  number: number;
  entry: Entry;
  bytes: number;
  isShrunk: boolean;
}

type Listener<Entry> = (recorded: Recorded<Entry>) => void;

const any = () => true;

/**
 * The latest exchanges, bounded in number and in bytes. The oldest are shrunk or dropped first. Readers get copies,
 * since entries are overwritten.
 */
export class RequestLog<Entry> {
  readonly limits: RequestLogLimits;
  readonly #policy: RequestLogPolicy<Entry>;
  readonly #ring: (Slot<Entry> | undefined)[] = [];
  readonly #listeners = new Set<Listener<Entry>>();
  #count = 0;
  #bytes = 0;
  #dropped = 0;
  /** Entries before this one were dropped. */
  #oldest = 0;
  /** Entries before this one were shrunk. */
  #oldestWhole = 0;

  constructor(limits: RequestLogLimits, policy: RequestLogPolicy<Entry>) {
    this.limits = limits;
    this.#policy = policy;
  }

  /** Records one exchange that counts as this many bytes. */
  add(entry: Entry, bytes: number): void {
    const { entries, bodyBytes } = this.limits;
    if (entries === 0) return;
    const slot = this.#place(this.#count++, entry, bytes);
    this.#bytes += bytes;
    if (bytes > bodyBytes * this.#policy.largestShare) this.#shrink(slot);
    while (this.#bytes > bodyBytes && this.#oldestWhole < this.#count) this.#shrink(this.#at(this.#oldestWhole++));
    if (this.#listeners.size === 0) return;
    // One object for all listeners: what one caches for it serves the others.
    const recorded = toRecorded(slot);
    for (const listener of this.#listeners) listener(recorded);
  }

  /** The selected entries, newest first. */
  list(isSelected: (entry: Entry) => boolean = any, limit = Number.POSITIVE_INFINITY): Recorded<Entry>[] {
    const found: Recorded<Entry>[] = [];
    for (let number = this.#count - 1; number >= this.#oldest && found.length < limit; number--) {
      const slot = this.#at(number);
      if (slot !== undefined && isSelected(slot.entry)) found.push(toRecorded(slot));
    }
    return found;
  }

  /** All entries, oldest first. */
  get entries(): readonly Entry[] {
    return this.list()
      .reverse()
      .map(({ entry }) => entry);
  }

  /** How many entries were dropped to make room, since the start or since the request log was cleared. */
  get dropped(): number {
    return this.#dropped;
  }

  find(number: number): Recorded<Entry> | undefined {
    const slot = this.#at(number);
    return slot && toRecorded(slot);
  }

  /** Removes the selected entries, or all. Returns how many there were. */
  clear(isSelected?: (entry: Entry) => boolean): number {
    const selected = this.list(isSelected);
    for (const { number } of selected) this.#remove(number);
    if (isSelected === undefined) {
      this.#oldest = this.#count;
      this.#dropped = 0;
    }
    return selected.length;
  }

  /** Calls the listener with each new entry until the returned function is called. */
  listen(listener: Listener<Entry>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #at(number: number): Slot<Entry> | undefined {
    const slot = this.#ring[number % this.limits.entries];
    return slot?.number === number ? slot : undefined;
  }

  #place(number: number, entry: Entry, bytes: number): Slot<Entry> {
    const leaving = this.#drop(number - this.limits.entries);
    const slot = leaving ?? { number, entry, bytes, isShrunk: false };
    this.#ring[number % this.limits.entries] = slot;
    if (leaving === undefined) return slot;
    if (this.#policy.overwrite === undefined) slot.entry = entry;
    else this.#policy.overwrite(slot.entry, entry);
    slot.number = number;
    slot.bytes = bytes;
    slot.isShrunk = false;
    return slot;
  }

  #drop(number: number): Slot<Entry> | undefined {
    const slot = number < 0 ? undefined : this.#at(number);
    if (slot !== undefined) {
      this.#bytes -= slot.bytes;
      this.#dropped++;
    }
    if (number >= this.#oldest) this.#oldest = number + 1;
    return slot;
  }

  #remove(number: number): boolean {
    const slot = this.#at(number);
    if (slot === undefined) return false;
    this.#bytes -= slot.bytes;
    this.#ring[number % this.limits.entries] = undefined;
    return true;
  }

  #shrink(slot: Slot<Entry> | undefined): void {
    if (slot === undefined || slot.isShrunk) return;
    const rest = this.#policy.shrink(slot.entry);
    if (rest === undefined) {
      if (this.#remove(slot.number)) this.#dropped++;
      return;
    }
    this.#bytes -= slot.bytes;
    Object.assign(slot, { entry: rest, bytes: 0, isShrunk: true });
  }
}

function toRecorded<Entry>({ number, entry }: Slot<Entry>): Recorded<Entry> {
  return { number, entry: typeof entry === 'object' ? { ...entry } : entry };
}

/*
 * To add a filter: here, in the records of the mock (above) and of the proxy (`src/proxy/control.ts`), and as a
 * parameter in both `admin-api.yaml`.
 */

/** The facts of an exchange that filters check. */
export interface ExchangeFacts {
  status: number;
  timeMs: number;
  operationId?: string | undefined;
  organizationId?: string | undefined;
  /** The sides that broke the contract, if exchanges are judged. */
  sides?: readonly (string | undefined)[];
}

/** Whether a query selects an exchange. Its values were validated by the admin API's document. */
export function createSelect(
  { operation, status, side, since, until }: Readonly<Record<string, string | number>>,
  organizationId?: string,
): (facts: ExchangeFacts) => boolean {
  const sinceMs = since === undefined ? -Infinity : Date.parse(String(since));
  const untilMs = until === undefined ? Infinity : Date.parse(String(until));
  return (facts) =>
    (organizationId === undefined || facts.organizationId === organizationId) &&
    (operation === undefined || facts.operationId === operation) &&
    (status === undefined || hasStatus(facts.status, String(status).toLowerCase())) &&
    (side === undefined || facts.sides?.includes(String(side)) === true) &&
    facts.timeMs >= sinceMs &&
    facts.timeMs <= untilMs;
}

// A status such as `404`, or a class such as `4xx`.
function hasStatus(status: number, wanted: string): boolean {
  const digits = String(status).padStart(3, '0');
  return wanted.endsWith('xx') ? `${digits.charAt(0)}xx` === wanted : digits === wanted;
}
