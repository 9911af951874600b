// The drives, MCP servers or agents of one organization: what has to be in its lists, and what must not change.

import { jsonExcerpt, say } from '../../lib/sentence.ts';
import { isObject } from '../reading/messages.ts';
import type { Call, Span } from './exchange.ts';
import type { Finding, Report } from './findings.ts';
import { asksForTaken, isSameName, isSameTime, isSameUrl } from './values.ts';

/** The kinds of resources that are listed. */
export type Kind = 'Drive' | 'McpServer' | 'Agent';

/** A resource that a response has shown. */
export interface Item {
  id: string;
  /** Its fields as the first response showed them, and that exchange. */
  fields: Readonly<Record<string, unknown>>;
  number: number;
  /** The creation that made it; undefined if it was there before, or if someone else made it. */
  creation: Call | undefined;
  /** The first list that showed it. */
  listed: number | undefined;
  /** When it was seen first. */
  sinceMs: number;
  /** A response that lacked it although it was there before, and the rule that this breaks if it comes back. */
  absence?: { call: Call; rule: string } | undefined;
}

/** The rules of each kind. */
const rules = {
  Drive: {
    named: 'createDrive.drive-has-the-name',
    known: 'listDrives.shows-known-drive',
    made: 'listDrives.shows-created-drive',
  },
  McpServer: {
    named: 'createMcpServer.server-has-the-name',
    known: 'listMcpServers.shows-known-server',
    made: 'listMcpServers.shows-created-server',
  },
  Agent: { named: '', known: 'listAgents.shows-known-agent', made: '' },
} as const satisfies Record<Kind, Record<string, string>>;

export class Collection {
  readonly kind: Kind;
  readonly items = new Map<string, Item>();
  /** The creations with a valid key of the organization, whatever became of them. */
  readonly creations: Call[] = [];
  /** Whether someone else makes or removes such resources: then only those made here are expected to stay. */
  hasOthers = false;
  /** The latest list that showed everything. */
  whole: { ids: ReadonlySet<string>; call: Call } | undefined;
  readonly #settleMs: number;

  constructor(kind: Kind, settleMs: number) {
    this.kind = kind;
    this.#settleMs = settleMs;
  }

  /** The resources that a request in this span has to find: someone has made them here, and they have settled. */
  madeBefore({ startMs }: Span): Item[] {
    const isSettled = ({ creation }: Item) => creation !== undefined && creation.endMs + this.#settleMs <= startMs;
    return [...this.items.values()].filter(isSettled);
  }

  /** Whether every read in this span shows all creations so far. */
  isSettledFor({ startMs }: Span): boolean {
    return this.creations.every(({ outcome, endMs }) => outcome === 'refused' || endMs + this.#settleMs <= startMs);
  }

  /** Whether the organization has no resource with this id: a whole list lacked it, and nothing was made since. */
  lacks(id: string | undefined): boolean {
    const { whole } = this;
    if (id === undefined || whole === undefined || this.items.has(id) || this.hasOthers) return false;
    return this.creations.every(
      ({ outcome, endMs }) => outcome === 'refused' || endMs + this.#settleMs < whole.call.startMs,
    );
  }

  /** A creation that succeeded (4.3, 4.8): it repeats what was sent. Returns whether its id is new. */
  judgeCreation(call: Call, report: Report): boolean {
    const { fields: sent = {}, json } = call;
    if (!isObject(json)) return false;
    const { name, url, id } = json;
    const known = typeof id === 'string' ? this.items.get(id) : undefined;
    const isOther = known !== undefined && !isSameResource(known.fields, json);
    // What to do about a name or a URL that is taken is open, also to return the earlier resource (`duplicates`).
    const isTaken = known !== undefined && asksForTaken(sent, known.fields);
    if (isTaken && !isOther) return false;
    // A blank name may count as none, and be replaced (`nameRules`).
    const asked = typeof sent.name === 'string' && sent.name.trim() !== '' ? sent.name : undefined;
    if (asked !== undefined && typeof name === 'string' && !isSameName(asked, name)) {
      const rule = /^\w[\w -]*$/.test(asked) ? rules[this.kind].named : 'creations.names-are-kept';
      report(rule, 'certain', {
        expected: say`name ${jsonExcerpt(asked, 200)}`,
        actual: say`${jsonExcerpt(name, 200)}`,
      });
    }
    if (typeof sent.url === 'string' && typeof url === 'string' && !isSameUrl(sent.url, url))
      report('createMcpServer.server-has-the-url', 'certain', { expected: say`url ${sent.url}`, actual: say`${url}` });
    if (typeof id !== 'string' || isTaken) return false;
    if (isOther) {
      const expected = say`a new id, since ${id} is that of ${jsonExcerpt(known.fields.name, 200)}`;
      report('ids.tell-resources-apart', 'certain', { expected, actual: say`${id}`, proof: [known.number] });
    }
    if (known === undefined || isOther)
      this.items.set(id, {
        id,
        fields: json,
        number: call.number,
        creation: call,
        listed: undefined,
        sinceMs: call.endMs,
      });
    return known === undefined;
  }

  /** A list or a page (4.1, 4.4, 4.9). `isWhole`: it shows everything that there is. */
  judgeList(
    list: readonly unknown[],
    isWhole: boolean,
    call: Call,
    attempted: ReadonlySet<unknown>,
    report: Report,
  ): void {
    const shown = list.filter(isObject);
    const ids = new Set<string>();
    for (const fields of shown) {
      const { id } = fields;
      if (typeof id !== 'string') continue;
      if (ids.has(id))
        report('ids.tell-resources-apart', 'certain', { expected: say`one item with the id ${id}`, actual: say`two` });
      ids.add(id);
      const known = this.items.get(id);
      if (known === undefined) this.#meet(id, fields, call, attempted);
      else this.#compare(known, fields, call, report);
    }
    // Lists without ids do not show what is missing.
    if (!isWhole || ids.size < shown.length) return;
    this.#judgeMissing(ids, call, report);
    if (this.whole === undefined || this.whole.call.startMs < call.startMs) this.whole = { ids, call };
  }

  // What nobody tried to make here appeared by itself: someone else is at work.
  #meet(id: string, fields: Record<string, unknown>, call: Call, attempted: ReadonlySet<unknown>): void {
    const isStrange = this.whole !== undefined && !this.whole.ids.has(id) && !attempted.has(fields.name);
    if (isStrange) this.hasOthers = true;
    this.items.set(id, {
      id,
      fields,
      number: call.number,
      creation: undefined,
      listed: call.number,
      sinceMs: call.endMs,
    });
  }

  #compare(known: Item, fields: Record<string, unknown>, call: Call, report: Report): void {
    const { creation, number } = known;
    const tell = (rule: string, name: string, certainty: Finding['certainty']) =>
      report(rule, certainty, {
        expected: say`${name} ${jsonExcerpt(known.fields[name], 200)} of ${known.id}`,
        actual: say`${jsonExcerpt(fields[name], 200)}`,
        proof: [number],
      });
    // 2: the time of creation never changes. The precision is open.
    if (!isSameTime(known.fields.createdAt, fields.createdAt))
      tell('timestamps.creation-never-changes', 'createdAt', 'certain');
    known.listed ??= call.number;
    this.#judgeReturn(known, call, report);
    if (this.kind === 'Agent') return;
    // No operation changes a name, a URL or a type. Someone may change what was not made here.
    const isKept = { name: isSameName, url: isSameUrl, type: (one: string, other: string) => one === other };
    for (const [name, isSame] of Object.entries(isKept)) {
      const [before, now] = [known.fields[name], fields[name]];
      if (typeof before !== 'string' || typeof now !== 'string' || isSame(before, now)) continue;
      if (name === 'type') tell('creations.are-listed-unchanged', name, 'maybe');
      else
        tell(
          creation === undefined ? 'lists.change-only-when-asked' : 'creations.stay',
          name,
          creation === undefined ? 'maybe' : 'certain',
        );
    }
  }

  #judgeMissing(ids: ReadonlySet<string>, call: Call, report: Report): void {
    const { known, made } = rules[this.kind];
    const settled = new Set(this.madeBefore(call));
    for (const item of this.items.values()) {
      if (ids.has(item.id)) continue;
      if (item.creation === undefined) this.noteAbsence(item, call, known);
      if (!settled.has(item)) continue;
      const rule = item.listed === undefined ? made : 'creations.stay';
      const grounds = { expected: say`${item.id} in the list`, proof: [item.number, item.listed] };
      report(rule, 'certain', { ...grounds, actual: say`it is missing` });
    }
  }

  /** A response lacks what someone else made, and may have removed. Only if it comes back, it has been there all the time. */
  noteAbsence(item: Item, call: Call, rule: string): void {
    if (item.sinceMs + this.#settleMs <= call.startMs) item.absence ??= { call, rule };
  }

  #judgeReturn(item: Item, call: Call, report: Report): void {
    const { absence } = item;
    if (absence === undefined || absence.call.endMs > call.startMs) return;
    const expected = say`${item.id} all the time`;
    const proof = [item.number, absence.call.number];
    report(absence.rule, 'certain', { expected, actual: say`it was missing in between`, proof });
    item.absence = undefined;
  }
}

function isSameResource(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean {
  const isName = typeof one.name === 'string' && typeof other.name === 'string';
  return isName && isSameName(one.name as string, other.name as string) && isSameTime(one.createdAt, other.createdAt);
}
