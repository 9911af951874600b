import type { Profile } from '../../openapi/contract/profile.ts';
import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

/** What an id names. */
export type IdKind = 'organization' | 'agent' | 'revision' | 'drive' | 'file' | 'mcpServer' | 'job';

/** Gives a new id at each call. */
export type Ids = (kind: IdKind) => string;

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

/** Ids in the form that the open point `idFormat` chose, drawn from one organization's stream. */
export function createIds(format: Profile['idFormat'], random: Random, clock: Clock): Ids {
  switch (format) {
    case 'uuid':
      return () => uuid(random);
    case 'prefixed':
      return (kind) => `${prefixes[kind]}_${letters(random, 20)}`;
    case 'sortable':
      return sortable(random, clock);
    case 'numeric':
      return numeric(random);
  }
}

function uuid(random: Random): string {
  const hex = Array.from({ length: 4 }, () => random.uint32().toString(16).padStart(8, '0')).join('');
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function letters(random: Random, length: number): string {
  return Array.from({ length }, () => base32.charAt(random.uint32() & 31)).join('');
}

// Ten digits of time, six of a counter, ten of chance: ids of one stream sort in the order in which they were made.
function sortable(random: Random, clock: Clock): Ids {
  let counter = 0;
  let latestMs = 0;
  return () => {
    latestMs = Math.max(latestMs, clock.nowMs());
    return toBase32(latestMs, 10) + toBase32(++counter, 6) + letters(random, 10);
  };
}

function toBase32(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = base32.charAt(rest % 32) + text;
  return text;
}

// The first digits tell organizations apart, so that no two share an id.
function numeric(random: Random): Ids {
  const first = 100_000 + (random.uint32() % 900_000);
  let counter = 0;
  return () => `${first}${String(++counter).padStart(7, '0')}`;
}
