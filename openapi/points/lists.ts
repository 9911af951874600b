import { joined, own, say } from '../../lib/sentence.ts';
import { plural } from '../../lib/text.ts';
import { openPointsOf, type ParameterObject, type SchemaObject } from '../contract/document.ts';
import type { Operation } from '../contract/operations.ts';
import type { Profile } from '../contract/profile.ts';
import { ordersOf } from '../reading/formats.ts';
import type { Seen, Sighting } from '../reading/learned.ts';
import { jsonOf, listIn, member, mostItems, type ReadExchange, valuesOf } from '../reading/messages.ts';
import { isRefused, type Observer, type Settle, unclear } from '../reading/observer.ts';
import {
  isLegalPaging,
  isOutOfRange,
  largestPage,
  pagingBounds,
  pagingNames,
  pagingNumber,
  wordForNumberIn,
} from '../reading/pages.ts';
import type { RequestFacts } from '../reading/request-facts.ts';
import { isSuccess } from '../reading/statuses.ts';
import { leaveOut } from './fields.ts';
import type { Rooms } from './room.ts';

/** Lists and pages. */
export const listsPoints = {
  listOrder: {
    sources: ['4.1/sentence:3', '4.4/sentence:2', '4.9/sentence:2'],
    operations: ['listAgents', 'listDrives', 'listMcpServers'],
    impact: 'visible',
    seen: 'wire',
    severity: 3,
    open: "The order of the lists, and whether it is stable. The mock's order is stable.",
    choices: [
      { value: 'oldestFirst', means: 'in order of creation' },
      { value: 'newestFirst', means: 'newest first' },
      { value: 'byName', means: 'by name' },
      { value: 'arbitrary', means: 'in an arbitrary but stable order' },
    ],
    default: 'oldestFirst',
    cost: 'A client that treats the last item as the newest shows or changes the wrong one. If the order is not stable, a client that reads page by page misses or repeats items.',
    question: 'In which order do the lists return their items?',
    see: seeOrder,
    settle: settleOrder,
  },
  readAfterWrite: {
    sources: ['4.3/sentence:4', '4.4/sentence:3', '4.8/sentence:4', '4.9/sentence:2'],
    operations: ['Drive', 'McpServer'],
    impact: 'visible',
    seen: 'state',
    severity: 3,
    open: 'Whether later reads show a write immediately. The mock can let lists lag behind creations; publications and moves are visible immediately.',
    choices: [
      { value: 'immediate', means: 'they show it immediately' },
      {
        value: 'lagging',
        means:
          'they show it a little later: after half a second or three more requests by the organization, whichever comes first',
      },
    ],
    default: 'immediate',
    cost: 'A client that reloads the list after a creation does not find the new resource, and creates it again.',
    question: 'Do lists show a new resource immediately?',
  },
  pagingDefaults: {
    sources: ['4.4/gap:1'],
    impact: 'visible',
    seen: 'wire',
    severity: 2,
    open: 'The defaults of limit and offset.',
    question: 'What are the defaults of limit and offset?',
    cases: {
      limit: {
        operations: 'listDrives',
        open: 'The default of limit.',
        choices: [
          { value: 20, means: '20 drives' },
          { value: 10, means: '10 drives' },
          { value: 50, means: '50 drives' },
          { value: largestPage, means: `${largestPage} drives, the largest limit that can be requested` },
          { value: 'all', means: 'all remaining drives' },
        ],
        range: { type: 'integer', minimum: 1, maximum: largestPage, likely: [1, 2, 3, 5, 25, 99] },
        default: 20,
        cost: 'A client that relies on the default shows some drives as if they were all.',
        inContract: { parameter: (parameter, profile) => setDefault(parameter, profile['pagingDefaults.limit']) },
        see: onPages(seeDefaultLimit),
        settle: settleDefaultLimit,
        decides: { stage: 'success', appliesTo: (request) => takesDefault(request, 'limit') },
      },
      offset: {
        operations: 'listDrives',
        open: 'The default of offset.',
        choices: [
          { value: 0, means: 'no drive is skipped' },
          { value: 1, means: 'the first drive is skipped' },
        ],
        range: { type: 'integer', minimum: 0, maximum: 100, likely: [2] },
        default: 0,
        cost: 'A client that sends no offset misses the first drives.',
        inContract: { parameter: (parameter, profile) => setDefault(parameter, profile['pagingDefaults.offset']) },
        see: onPages((exchange) =>
          valuesOf(exchange.request, 'offset').length > 0 ? undefined : pagingNumber(exchange, 'offset'),
        ),
        decides: { stage: 'success', appliesTo: (request) => takesDefault(request, 'offset') },
      },
    },
  },
  oddPaging: {
    sources: ['4.4/row:limit', '4.4/row:offset', '7/gap:2'],
    impact: 'visible',
    seen: 'wire',
    open: 'The handling of limits and offsets that are not legal.',
    question: 'Is limit=101 refused, treated as limit=100, or ignored? And limit=ten, or limit=1&limit=2?',
    cases: {
      outOfRange: {
        operations: 'listDrives',
        severity: 2,
        open: 'Whether a limit or offset out of range is refused. Section 7 counts these values among the failure cases and leaves only their status codes open, which suggests an error response: the default. But no sentence says that the request fails. A server that uses a legal value instead still keeps the stated bounds, as long as it never returns more than 100 drives on a page. So the conformance suite only warns if such a request succeeds.',
        choices: [
          { value: 'refused', means: 'the request is refused as invalid input, by default with 422' },
          { value: 'clamped', means: 'the nearest legal value is used', warned: 'listDrives.out-of-range-is-refused' },
          {
            value: 'ignored',
            means: `the default is used, or ${largestPage} if the default is all drives`,
            warned: 'listDrives.out-of-range-is-refused',
          },
        ],
        default: 'refused',
        cost: 'A client that requests too large a page gets an error, or fewer drives than it requested.',
        regards: ['invalidInput'],
        inContract: {
          operation: (operation, profile) => profile['oddPaging.outOfRange'] !== 'refused' && unbind(operation),
        },
        see: seeOutOfRange,
        settle: settlePaging,
        toChoice: toPagingChoice,
        decides: {
          stage: 'input',
          appliesTo: (request) => request.isOutOfRange('limit') || request.isOutOfRange('offset'),
        },
      },
      malformed: {
        operations: 'listDrives',
        severity: 1,
        open: 'Whether a limit or offset that is not an integer is refused. The table shows integers, which suggests an error response. No sentence says what happens to other values, so the conformance suite only warns if such a request succeeds.',
        choices: [
          { value: 'refused', means: 'the request is refused as invalid input, by default with 422' },
          {
            value: 'ignored',
            means: `the default is used, or ${largestPage} if the default is all drives`,
            warned: 'listDrives.out-of-range-is-refused',
          },
        ],
        default: 'refused',
        cost: 'A client with a typo in its query gets an error, or drives that it did not request.',
        see: seeMalformedPaging,
        decides: {
          stage: 'input',
          appliesTo: (request) => request.isNoInteger('limit') || request.isNoInteger('offset'),
        },
      },
      repeated: {
        operations: 'listDrives',
        severity: 1,
        open: 'The handling of a limit or offset that is sent twice.',
        choices: [
          { value: 'refused', means: 'the request is refused as invalid input, by default with 422' },
          { value: 'first', means: 'the first value is used' },
          { value: 'last', means: 'the last value is used' },
        ],
        default: 'refused',
        cost: 'A client that adds limit or offset to a URL that already has one gets an error, or the wrong page.',
        see: seeRepeatedPaging,
        decides: {
          stage: 'input',
          appliesTo: (request) => request.isRepeated('limit') || request.isRepeated('offset'),
        },
      },
    },
  },
  totalMeaning: {
    sources: ['2.pagination/row:total'],
    operations: 'listDrives',
    impact: 'visible',
    seen: 'wire',
    severity: 3,
    open: 'The meaning of pagination.total. Only the field and its type are shown.',
    choices: [
      { value: 'all', means: 'all drives of the organization' },
      { value: 'page', means: 'the drives on this page' },
    ],
    default: 'all',
    cost: 'A client that computes the number of pages from total shows only the first page.',
    question: 'Does pagination.total count all drives of the organization?',
    see: onPages(seeTotal),
  },
  paginationFields: {
    sources: ['2.pagination/row:limit', '2.pagination/row:offset', '2.pagination/row:total', '4.4/sentence:2'],
    operations: 'listDrives',
    impact: 'visible',
    seen: 'wire',
    severity: 3,
    open: 'Which fields the pagination object has. 4.4 states that the object is present. Section 2 lists its fields but does not state that they are required.',
    choices: [
      { value: 'all', means: 'limit, offset and total' },
      { value: 'withoutTotal', means: 'limit and offset', warned: 'pagination.fields-are-present' },
      { value: 'none', means: 'an empty object', warned: 'pagination.fields-are-present' },
    ],
    default: 'all',
    cost: 'A client that computes the number of pages from a missing total shows no pages, or only one.',
    question: 'Does the pagination object always have limit, offset and total?',
    inContract: {
      schema: (schema, { paginationFields }) => leaveOut(schema, new Set(leftOutOfPagination[paginationFields])),
    },
    see: seePaginationFields,
  },
} satisfies Rooms;

/** The fields of the pagination object that each choice of `paginationFields` leaves out. */
export const leftOutOfPagination = {
  all: [],
  withoutTotal: ['total'],
  none: ['limit', 'offset', 'total'],
} as const satisfies Record<Profile['paginationFields'], readonly string[]>;

/** Looks at successful pages of drives. */
function onPages(see: (exchange: ReadExchange) => Seen | undefined): Observer['see'] {
  return (exchange) => {
    const isPaged = exchange.operation.parameters.some(({ name }) => name === 'offset');
    return isPaged && isSuccess(exchange.answer) ? see(exchange) : undefined;
  };
}

function setDefault(parameter: ParameterObject, fallback: string | number): void {
  if (typeof fallback === 'number') Object.assign(parameter.schema as SchemaObject, { default: fallback });
}

/** Removes the bounds of query parameters: values out of range are accepted. */
function unbind({ parameters }: Operation): void {
  for (const { schema } of parameters.filter((parameter) => parameter.in === 'query')) {
    delete (schema as SchemaObject).minimum;
    delete (schema as SchemaObject).maximum;
  }
}

function itemsIn({ operation, answer }: ReadExchange): unknown[] {
  return listIn(operation, jsonOf(answer)) ?? [];
}

// If a page ends exactly at its limit, the default may be that number or all remaining drives. The same holds for an
// empty page.
function seeDefaultLimit(exchange: ReadExchange): Seen | undefined {
  const limit = pagingNumber(exchange, 'limit');
  if (valuesOf(exchange.request, 'limit').length > 0 || limit === undefined) return undefined;
  if (limit > largestPage) return 'all';
  const count = itemsIn(exchange).length;
  const end = (pagingNumber(exchange, 'offset') ?? 0) + count;
  const known = Math.max(pagingNumber(exchange, 'total') ?? 0, exchange.memory.listedIds(exchange.operation).length);
  return count === 0 || (end === limit && known <= end) ? `perhaps ${limit}` : limit;
}

function settleDefaultLimit(sightings: readonly Sighting[]): ReturnType<Settle> {
  const certain = sightings.filter((seen) => typeof seen === 'number');
  const perhaps = sightings.filter((seen) => typeof seen === 'string' && seen !== 'all');
  const [limit] = certain;
  if (limit === undefined) return sightings.includes('all') || perhaps.length > 1 ? 'all' : undefined;
  return certain.length === 1 && perhaps.every((seen) => seen === `perhaps ${limit}`) ? limit : unclear;
}

// The two choices differ if the page is not the whole list. A list may shrink between two reads, so earlier pages only
// tell something about a page that was cut off by its limit.
function seeTotal(exchange: ReadExchange): Seen | undefined {
  const total = pagingNumber(exchange, 'total');
  const count = itemsIn(exchange).length;
  if (total === undefined || count === 0) return undefined;
  const end = (pagingNumber(exchange, 'offset') ?? 0) + count;
  if (total !== count)
    return total >= end
      ? 'all'
      : { other: say`${total} with ${count} of at least ${own(plural(end, 'drive'))} on the page` };
  const isCut = count === (pagingNumber(exchange, 'limit') ?? Number(valuesOf(exchange.request, 'limit')[0]));
  const known = isCut ? exchange.memory.listedIds(exchange.operation).length : 0;
  return Math.max(end, known) > count ? 'page' : undefined;
}

/** Shorter lists do not show an order. */
const fewest = 3;

/** A list of this many items shows an order if no other list contradicts: the chance of coincidence is 1 in 120. */
const many = 5;

/** The order of a list of this many items is not a coincidence: the chance is 1 in 40,320. */
const certain = 8;

/** A sighting such as `oldestFirst or byName in 4 of Drive`: the orders that fit, how many items differ, their kind. */
function seeOrder(exchange: ReadExchange): Seen | undefined {
  const { operation, answer, memory } = exchange;
  const list = isSuccess(answer) ? itemsIn(exchange).slice(0, mostItems) : [];
  const { orders = [], distinct = 0 } = ordersOf(list) ?? {};
  if (distinct < fewest) return undefined;
  const ids = list.map((item) => member(item, 'id'));
  const before = memory.lastPage(operation);
  const both = (some: readonly unknown[], others: readonly unknown[]) => {
    const known = new Set(others);
    return some.filter((id) => known.has(id));
  };
  if (both(ids, before).join() !== both(before, ids).join()) return { other: say`a different order on each read` };
  if (orders.length === 0) return 'arbitrary';
  return `${orders.join(' or ')} in ${Math.min(distinct, certain)} of ${operation.resource}`;
}

// The order that fits all lists. If there is none: arbitrary, unless the order of a list cannot be chance.
function settleOrder(sightings: readonly Sighting[]): ReturnType<Settle> {
  if (sightings.some((seen) => typeof seen === 'object')) return unclear;
  const seen = sightings.map((sighting) => {
    const [orders = '', found = ''] = String(sighting).split(' in ', 2);
    const [distinct = '0', kind] = found.split(' of ', 2);
    return { orders: orders.split(' or '), distinct: Number(distinct), kind };
  });
  const most = Math.max(...seen.map(({ distinct }) => distinct));
  const common = seen[0]?.orders.filter((order) => seen.every(({ orders }) => orders.includes(order))) ?? [];
  if (common.length === 0 || common[0] === 'arbitrary') return most < certain ? 'arbitrary' : unclear;
  const kinds = new Set(seen.map(({ kind }) => kind));
  return common.length === 1 && (most >= many || kinds.size > 1) ? common[0] : undefined;
}

function seeOutOfRange(exchange: ReadExchange): Seen | undefined {
  if (!isOutOfRange(exchange)) return undefined;
  if (!isSuccess(exchange.answer)) return isRefused(exchange) ? 'refused' : undefined;
  const hidden = exchange.request.query.filter(({ name }) => pagingNumber(exchange, name) === undefined);
  if (!hidden.every(isLegalPaging)) return undefined;
  const replaced = pagingNames.flatMap((name) => {
    const [sent] = valuesOf(exchange.request, name);
    return sent === undefined ? [] : [replacementOf(name, Number(sent), pagingNumber(exchange, name))];
  });
  if (replaced.includes('other')) return { other: say`a number out of range is used` };
  return replaced.find((each) => each?.startsWith('ignored')) ?? replaced.find((each) => each !== undefined);
}

/** What happened to a number, such as `clamped: limit 100`. The default may be the nearest value: see `settlePaging`. */
function replacementOf(name: keyof typeof pagingBounds, sent: number, shown: number | undefined): string | undefined {
  const [least, most] = pagingBounds[name];
  const nearest = Math.max(least, Math.min(most, sent));
  if (sent === nearest) return shown === undefined || shown === sent ? undefined : 'other';
  if (shown === undefined || shown < least || shown > most) return 'other';
  return `${shown === nearest ? 'clamped' : 'ignored'}: ${name} ${shown}`;
}

// One default cannot be the nearest value for two pagingBounds.
function settlePaging(sightings: readonly Sighting[]): ReturnType<Settle> {
  const kinds = new Set(sightings.map(toPagingChoice));
  if (kinds.has('refused')) return kinds.size === 1 ? 'refused' : unclear;
  const limits = new Set(sightings.flatMap((sighting) => /limit .*/.exec(String(sighting))?.[0] ?? []));
  if (kinds.has('ignored')) return limits.size > 1 ? unclear : 'ignored';
  return limits.size > 1 ? 'clamped' : undefined;
}

function toPagingChoice(sighting: Sighting): string {
  return String(sighting).split(':', 1).join();
}

// Only words: other values may be read up to the point where they stop being a number.
function seeMalformedPaging(exchange: ReadExchange): Seen | undefined {
  const name = wordForNumberIn(exchange);
  if (name === undefined) return undefined;
  if (!isSuccess(exchange.answer)) return isRefused(exchange) ? 'refused' : undefined;
  const [least, most] = pagingBounds[name];
  const shown = pagingNumber(exchange, name);
  if (shown === undefined) return undefined;
  return shown >= least && shown <= most ? 'ignored' : { other: say`a word is read as a number out of range` };
}

/** Two legal values of limit, and a legal offset or nothing else. */
function seeRepeatedPaging(exchange: ReadExchange): Seen | undefined {
  const { operation, request } = exchange;
  const isPaged = operation.parameters.some(({ name }) => name === 'offset');
  const [first, last, ...more] = valuesOf(request, 'limit').map(Number);
  if (!isPaged || first === undefined || last === undefined || more.length > 0 || first === last) return undefined;
  if (request.query.length > 3 || !request.query.every(isLegalPaging)) return undefined;
  if (!isSuccess(exchange.answer)) return isRefused(exchange) ? 'refused' : undefined;
  const shown = pagingNumber(exchange, 'limit');
  if (shown === undefined) return undefined;
  if (shown === first) return 'first';
  return shown === last ? 'last' : { other: say`neither of the two limits is used` };
}

function seePaginationFields({ objects }: ReadExchange): Seen | undefined {
  const [pagination] = objects.filter(({ schema }) => openPointsOf(schema).includes('paginationFields'));
  if (pagination === undefined) return undefined;
  const absent = Object.keys(pagination.schema.properties ?? {}).filter((name) => pagination.value[name] === undefined);
  const [choice] = Object.entries(leftOutOfPagination).find(([, names]) => names.join() === absent.join()) ?? [];
  return choice ?? { other: say`without ${joined(absent)}` };
}

function takesDefault(request: RequestFacts, name: 'limit' | 'offset'): boolean {
  const { 'oddPaging.outOfRange': outOfRangePaging, 'oddPaging.malformed': malformedPaging } = request.profile;
  if (outOfRangePaging === 'ignored' && request.isOutOfRange(name)) return true;
  if (malformedPaging === 'ignored' && request.isNoInteger(name)) return true;
  return request.parameter(name) === undefined;
}
