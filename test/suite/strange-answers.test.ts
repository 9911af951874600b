import { describe, expect, it } from 'vitest';
import { parseReport } from '../../conformance/report/parse-report.ts';
import type { WireAnswer, WireFault } from '../../proof/power/mutant.ts';
import { createRandom } from '../../src/domain/random.ts';
import { depth, isFull, randomSeed } from '../support/depth.ts';
import { hostileTexts } from '../support/hostile.ts';
import { judgeServer } from '../support/judged-server.ts';

/** Values of every JSON type, small and large, as text; undefined removes the member. */
const values: readonly (string | undefined)[] = [
  ...[undefined, 'null', 'true', 'false', '0', '-1', '1e999', '12345678901234567890', '1.5', '""', '[]', '{}'],
  ...['[null]', '{"":null}', '{"__proto__":{"id":"x"}}', '[[],{}]', '{"length":-1,"id":{}}'],
  `${'['.repeat(6000)}${']'.repeat(6000)}`,
  `${'{"a":'.repeat(6000)}1${'}'.repeat(6000)}`,
  JSON.stringify('x'.repeat(300_000)),
  ...hostileTexts.map((text) => JSON.stringify(text)),
];

type Random = { uint32(): number };

const pick = <T>(random: Random, all: readonly T[]): T => all[random.uint32() % all.length] as T;

/** Changes about one response in `every`, depending on the seed. */
function strangeAnswers(seed: number, every: number): WireFault {
  const random = createRandom(`strange ${seed}`);
  return async (_request, response, forward) => {
    const answer = await forward();
    const isMeant = random.uint32() % every === 0;
    const { status, headers, body } = isMeant
      ? pick(random, changes)(answer, random)
      : { ...answer, body: Buffer.from(answer.body) };
    const { 'content-length': _, ...kept } = headers;
    response.writeHead(status, kept).end(status === 204 || status === 304 ? undefined : body);
  };
}

type StrangeAnswer = Omit<WireAnswer, 'body'> & { body: Buffer };

const changes: readonly ((answer: WireAnswer, random: Random) => StrangeAnswer)[] = [
  ...Array.from({ length: 6 }, () => withStrangeValue),
  (answer, random) => ({ ...answer, body: Buffer.from(pick(random, values) ?? '') }),
  (answer, random) => ({ ...answer, body: Buffer.from(Array.from({ length: 40 }, () => random.uint32() % 256)) }),
  (answer, random) => ({
    ...plain(answer),
    status: pick(random, [200, 201, 204, 299, 302, 304, 400, 404, 418, 499, 500, 599]),
  }),
  (answer, random) => ({ ...plain(answer), headers: { ...answer.headers, ...strangeHeaders(random) } }),
];

function plain(answer: WireAnswer): StrangeAnswer {
  return { ...answer, body: Buffer.from(answer.body) };
}

// Every character that Node allows in a header.
function strangeHeaders(random: Random): Record<string, string> {
  const value = Array.from({ length: 20 }, () => String.fromCharCode(0x21 + (random.uint32() % 0xde))).join('');
  return {
    [pick(random, ['content-type', 'location', 'x-request-id', 'retry-after', '__proto__', "'|`"])]: value.replaceAll(
      '\u007f',
      '',
    ),
  };
}

const mark = '"strange value"';

/** One value in the body, or the whole body, becomes strange. */
function withStrangeValue(answer: WireAnswer, random: Random): StrangeAnswer {
  const value = pick(random, values);
  const places: (() => void)[] = [];
  let root: unknown;
  try {
    root = JSON.parse(answer.body);
  } catch {
    return plain(answer);
  }
  collect(root, places, value === undefined);
  if (places.length === 0) return { ...answer, body: Buffer.from(value ?? '') };
  pick(random, places)();
  return { ...answer, body: Buffer.from(JSON.stringify(root).replace(mark, () => value ?? '')) };
}

function collect(node: unknown, places: (() => void)[], isRemoved: boolean): void {
  if (typeof node !== 'object' || node === null) return;
  const members = node as Record<string, unknown>;
  for (const key of Object.keys(members)) {
    places.push(() => {
      if (isRemoved) delete members[key];
      else members[key] = 'strange value';
    });
    collect(members[key], places, isRemoved);
  }
}

describe('a run over a target with strange answers', () => {
  const cases = Array.from({ length: depth(1, 40) }, (_, index) => [randomSeed + index, [3, 10, 40][index % 3] ?? 3]);
  const only = isFull ? [] : ['listDrives.*', 'getDriveFile.*', 'createDrive.*'];

  it.each(cases)('ends with a report that can be read: seed %i, one in %i', async (seed, every) => {
    const config = { settleMs: 20, timeoutMs: 10_000, maxRequests: 4_000 };
    const { report } = await judgeServer({ wire: () => strangeAnswers(seed, every) }, only, { config });
    expect(report.run.suiteError).toBeUndefined();
    expect(parseReport(JSON.stringify(report), 'the report')).toEqual(report);
  });
});
