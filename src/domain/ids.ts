import type { Profile } from '../../openapi/contract/profile.ts';
import type { Clock } from './clock.ts';
import { continueRandom, type Random, type RandomState } from './random.ts';

/** The kinds of things that have ids. */
export type IdKind = 'organization' | 'agent' | 'revision' | 'drive' | 'file' | 'mcpServer' | 'job';

/** Returns a new id for each call. */
export interface Ids {
  (kind: IdKind): string;
  /** The current state. From it, the same ids follow. */
  state(): IdState;
  /** Continues from a state. */
  goOn(from: IdState): void;
}

/** The state that, together with the clock, determines the next ids. */
export interface IdState {
  readonly random: RandomState;
  /** The number of ids created. */
  readonly count: number;
  /** The latest time in an id. */
  readonly latestMs: number;
  /** The first digits of numeric ids; 0 until the first one is created. */
  readonly firstDigits: number;
}

const prefixes: Record<IdKind, string> = {
  organization: 'org',
  agent: 'agt',
  revision: 'rev',
  drive: 'drv',
  file: 'fil',
  mcpServer: 'mcp',
  job: 'job',
};

const base32 = '0123456789abcdefghjkmnpqrstvwxyz';

export function firstIdState(random: Random): IdState {
  return { random: random.state(), count: 0, latestMs: 0, firstDigits: 0 };
}

/**
 * Creates ids in the format of the open point `idFormat`, from one organization's random stream. Those that are taken
 * are skipped: a seed saved from a mock names ids that the same stream is yet to give.
 */
export function createIds(
  { profile, clock }: { readonly profile: Pick<Profile, 'idFormat'>; readonly clock: Clock },
  state: IdState,
  isTaken: (kind: IdKind, id: string) => boolean = () => false,
): Ids {
  const source: Source = { ...state, random: continueRandom(state.random), clock };
  const make = makers[profile.idFormat];
  const toState = () => {
    const { random, count, latestMs, firstDigits } = source;
    return { random: random.state(), count, latestMs, firstDigits };
  };
  const goOn = (from: IdState) => void Object.assign(source, { ...from, random: continueRandom(from.random) });
  const next = (kind: IdKind) => {
    for (;;) {
      const id = make(source, kind);
      if (!isTaken(kind, id)) return id;
    }
  };
  return Object.assign(next, { state: toState, goOn });
}

interface Source {
  random: Random;
  clock: Clock;
  count: number;
  latestMs: number;
  firstDigits: number;
}

const makers: Record<Profile['idFormat'], (source: Source, kind: IdKind) => string> = {
  uuid: ({ random }) => uuid(random),
  prefixed: ({ random }, kind) => `${prefixes[kind]}_${letters(random, 20)}`,
  sortable,
  numeric,
};

// RFC 9562: the first digit of the third group is the version, that of the fourth group the variant.
function uuid(random: Random): string {
  const hex = Array.from({ length: 4 }, () => random.uint32().toString(16).padStart(8, '0')).join('');
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function letters(random: Random, length: number): string {
  return Array.from({ length }, () => base32.charAt(random.uint32() & 31)).join('');
}

// Ten digits of time, six of a counter, ten random digits: ids of one stream sort by creation.
function sortable(source: Source): string {
  source.latestMs = Math.max(source.latestMs, source.clock.nowMs());
  return toBase32(source.latestMs, 10) + toBase32(++source.count, 6) + letters(source.random, 10);
}

function toBase32(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = base32.charAt(rest % 32) + text;
  return text;
}

// The first digits differ between organizations, so that no two share an id.
function numeric(source: Source): string {
  if (source.firstDigits === 0) source.firstDigits = 100_000 + (source.random.uint32() % 900_000);
  return `${source.firstDigits}${String(++source.count).padStart(7, '0')}`;
}
