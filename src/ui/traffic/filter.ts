import { didYouMean } from '../../../lib/nearest.ts';
import { forcedBy } from './forced.ts';
import { sidesOf, type TrafficEntry } from './judgement.ts';

/** One word of a filter: `-path:"/a b"` is a term of `path` that must not hold. Without a name it matches anywhere. */
export interface FilterTerm {
  name: string;
  value: string;
  isNot: boolean;
}

/** A parsed filter. Errors are reported; the rest applies. */
export interface Filter {
  terms: readonly FilterTerm[];
  errors: readonly string[];
}

interface Kind {
  help: string;
  /** Set if only one kind of server has the data. */
  onlyIn?: 'mock' | 'proxy';
  /** The error in a value. */
  refuse?(value: string): string | undefined;
  matches(entry: TrafficEntry, value: string, nameOf: (organizationId: string) => string): boolean;
}

const has = (text: string | undefined, value: string) => text?.toLowerCase().includes(value.toLowerCase()) === true;
const hasAny = (texts: readonly string[] | undefined, value: string) =>
  texts !== undefined && (value === 'any' ? texts.length > 0 : texts.some((text) => has(text, value)));

const verdicts = ['ok', 'refused', 'failed', 'lost'] as const;

const sideWords = ['client', 'server', 'any', 'none'];

/** How an exchange ended, in one word. */
export function verdictOf({ answer: { status } }: TrafficEntry): (typeof verdicts)[number] {
  if (status === 0) return 'lost';
  return status < 400 ? 'ok' : status < 500 ? 'refused' : 'failed';
}

/** The names of terms. */
export const filterKinds: Readonly<Record<string, Kind>> = {
  method: {
    help: 'method:POST',
    matches: ({ request }, value) => request.method.toLowerCase() === value.toLowerCase(),
  },
  status: {
    help: 'status:404 or status:4xx; 0 for none',
    refuse: (value) => (/^(?:\d|\d\d\d|\dxx)$/i.test(value) ? undefined : 'must be a status such as 404 or 4xx'),
    matches: ({ answer: { status } }, value) =>
      /xx$/i.test(value) ? Math.floor(status / 100) === Number(value.charAt(0)) : status === Number(value),
  },
  op: { help: 'op:createDrive', matches: ({ operationId }, value) => has(operationId, value) },
  path: { help: 'path:"/drives"', matches: ({ request }, value) => has(request.url, value) },
  sandbox: {
    help: 'sandbox:"Meridian Labs"',
    onlyIn: 'mock',
    matches: ({ organizationId: id }, value, nameOf) => id !== undefined && (id === value || has(nameOf(id), value)),
  },
  fault: {
    help: 'fault:any, or fault:fault-1 for one',
    onlyIn: 'mock',
    matches: ({ faults = [] }, value) => (value === 'any' ? faults.length > 0 : faults.includes(value)),
  },
  forced: {
    help: 'forced:any or part of the preference',
    matches: (entry, value) =>
      hasAny(
        [forcedBy(entry)].filter((one) => one !== undefined),
        value,
      ),
  },
  point: { help: 'point:listOrder', onlyIn: 'mock', matches: ({ openPoints }, value) => hasAny(openPoints, value) },
  verdict: {
    help: `verdict: ${verdicts.join(', ')}`,
    refuse: (value) => (verdicts.some((one) => one === value) ? undefined : `must be one of ${verdicts.join(', ')}`),
    matches: (entry, value) => verdictOf(entry) === value,
  },
  broke: {
    help: 'broke: client, server, any or none',
    onlyIn: 'proxy',
    refuse: (value) => (sideWords.includes(value) ? undefined : `must be one of ${sideWords.join(', ')}`),
    matches: (entry, value) => {
      const sides: string[] = sidesOf(entry);
      return value === 'none' ? sides.length === 0 : value === 'any' ? sides.length > 0 : sides.includes(value);
    },
  },
  id: { help: 'id: part of X-Request-Id', matches: ({ requestId }, value) => has(requestId, value) },
  body: {
    help: 'body:"part of either body"',
    matches: ({ request, answer }, value) => has(request.body, value) || has(answer.body, value),
  },
};

const anywhere: Kind['matches'] = ({ request, operationId, requestId, answer }, value) =>
  [request.method, request.url, operationId, requestId, String(answer.status)].some((text) => has(text, value));

// A sign, a name, and a text in quotes or without blanks.
const word = /(-)?(?:([a-z]+):)?(?:"((?:[^"\\]|\\.)*)("?)|([^\s"]\S*)?)/isy;

/** Reads a filter such as `method:POST -status:2xx path:"/a b" word`, for one kind of server. */
export function parseFilter(text: string, server: 'mock' | 'proxy'): Filter {
  const terms: FilterTerm[] = [];
  const errors: string[] = [];
  word.lastIndex = 0;
  while (word.lastIndex < text.length) {
    const blanks = /\s+/y;
    blanks.lastIndex = word.lastIndex;
    if (blanks.test(text)) word.lastIndex = blanks.lastIndex;
    if (word.lastIndex >= text.length) break;
    const match = word.exec(text);
    if (match === null) break;
    const term = toTerm(match);
    const error = match[4] === '' ? `The quote in ${match[0].trim()} is not closed.` : refuseTerm(term, server);
    if (error === undefined) terms.push(term);
    else errors.push(error);
  }
  return { terms, errors };
}

function toTerm([, sign, name = '', quoted, , plain = '']: RegExpExecArray): FilterTerm {
  const value = quoted === undefined ? plain : quoted.replaceAll(/\\(.)/gs, '$1');
  return { name: name.toLowerCase(), value, isNot: sign === '-' };
}

function refuseTerm({ name, value }: FilterTerm, server: 'mock' | 'proxy'): string | undefined {
  if (name === '') return value === '' ? 'A - needs a word after it.' : undefined;
  const kind = Object.hasOwn(filterKinds, name) ? filterKinds[name] : undefined;
  if (kind === undefined)
    return `There is no filter ${name}${didYouMean(name, Object.keys(filterKinds))}. Put quotes around a word with a colon.`;
  if (kind.onlyIn !== undefined && kind.onlyIn !== server)
    return `${name}: has no effect here; only a ${kind.onlyIn} has it.`;
  if (value === '') return `${name}: needs a value, for instance ${kind.help}.`;
  const wrong = kind.refuse?.(value);
  return wrong && `${name}:${value} ${wrong}.`;
}

/** A term as typed. */
export function formatTerm({ name, value, isNot }: FilterTerm): string {
  const isPlain = /^[^\s":-][^\s":]*$/.test(value);
  const shown = isPlain ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
  return `${isNot ? '-' : ''}${name === '' ? '' : `${name}:`}${shown}`;
}

/** Whether a filter selects an exchange: each of its terms does. */
export function selects(
  { terms }: Filter,
  entry: TrafficEntry,
  nameOf: (organizationId: string) => string = (id) => id,
): boolean {
  return terms.every(({ name, value, isNot }) => {
    const matches = filterKinds[name]?.matches ?? anywhere;
    return matches(entry, value, nameOf) !== isNot;
  });
}
