import { type CreateOperation, created } from '../scene/creations.ts';
import { type ListOperation, readList } from '../scene/lists.ts';
import type { Session } from '../session.ts';
import { idOf } from '../target/expectations.ts';
import { ifSeen, type Observer, type Seen } from './observer.ts';

/** What ids look like: those that the target makes for this run, or else those of the lists. */
export const idFormatObserver: Observer = {
  openPoint: 'idFormat',
  phase: 'list',
  effects: {},
  see: async (session) => {
    const made = await newIds(session);
    return seeFormat(made.every((ids) => ids.length > 0) ? made : await listedIds(session));
  },
};

/** Kind by kind. */
async function newIds(session: Session): Promise<string[][]> {
  const idsOf = async (operation: CreateOperation) => {
    const both = (['first', 'second'] as const).map((name) => ifSeen(created(session, operation, name)));
    return (await Promise.all(both)).flatMap((creation) => creation?.id ?? []);
  };
  return [await idsOf('createDrive'), await idsOf('createMcpServer')];
}

async function listedIds(session: Session): Promise<string[][]> {
  const lists = (['listAgents', 'listDrives', 'listMcpServers'] as const).map(async (operation: ListOperation) => {
    const listing = await ifSeen(readList(session, operation));
    return (listing?.items ?? []).flatMap((item) => idOf(item) ?? []);
  });
  return (await Promise.all(lists)).filter((ids) => ids.length > 0);
}

const forms: Record<string, RegExp> = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i,
  numeric: /^\d+$/,
  prefixed: /^[a-z]+[_-][0-9a-z]+$/i,
  sortable: /^[0-9a-hjkmnp-tv-z]{26}$/i,
};

function seeFormat(kinds: readonly string[][]): Seen {
  const ids = kinds.flat();
  const [first] = ids;
  if (first === undefined) return undefined;
  const form = Object.keys(forms).find((name) => ids.every((id) => forms[name]?.test(id)));
  if (form === 'prefixed' && !tellsKinds(kinds)) return { other: first };
  if (form === 'sortable' && !ids.every(beginsWithTime)) return { other: first };
  return form ?? { other: first };
}

function tellsKinds(kinds: readonly string[][]): boolean {
  const prefixes = kinds.map((ids) => new Set(ids.map((id) => id.split(/[_-]/)[0])));
  return prefixes.every(({ size }) => size === 1) && new Set(prefixes.flatMap((set) => [...set])).size === kinds.length;
}

const digits = '0123456789abcdefghjkmnpqrstvwxyz';
const earliestMs = Date.UTC(2015);
const dayMs = 86_400_000;

/** Whether the first ten characters are the milliseconds of a time that can be, in base 32. */
function beginsWithTime(id: string): boolean {
  const timeMs = [...id.slice(0, 10).toLowerCase()].reduce((value, digit) => value * 32 + digits.indexOf(digit), 0);
  return timeMs > earliestMs && timeMs < Date.now() + dayMs;
}
