import fc from 'fast-check';
import { keepsPathRule } from '../../openapi/reading/path-rule.ts';
import { inParallel } from '../in-parallel.ts';
import type { Reply } from '../target/reply.ts';

const generatedRuns = 40;

/** A shrunk generated path that the target handled incorrectly. */
interface Counterexample {
  path: string;
  reply: Reply;
}

/** How generated paths are sent, and which replies are correct. */
interface Attempt {
  send(path: string): Promise<Reply>;
  isRight(reply: Reply): boolean;
}

/**
 * Sends generated paths in parallel. If one is handled incorrectly, sends them one after the other until one is, and
 * shrinks that one. Rejects with what `send` throws.
 */
export async function findCounterexample(
  paths: fc.Arbitrary<string>,
  randomSeed: number,
  attempt: Attempt,
): Promise<Counterexample | undefined> {
  const drawn = new Set(fc.sample(paths, { numRuns: generatedRuns, seed: randomSeed }));
  const replies = await inParallel(drawn, attempt.send);
  return replies.every(attempt.isRight) ? undefined : findOneByOne(paths, randomSeed, attempt);
}

/** Sends generated paths one after the other until one is handled incorrectly, and shrinks that one. */
async function findOneByOne(
  paths: fc.Arbitrary<string>,
  randomSeed: number,
  { send, isRight }: Attempt,
): Promise<Counterexample | undefined> {
  let thrown: { error: unknown } | undefined;
  let wrong: Counterexample | undefined;
  const property = fc.asyncProperty(paths, async (path) => {
    if (thrown !== undefined) return;
    const reply = await send(path).catch((error: unknown) => {
      thrown = { error };
    });
    if (reply === undefined || isRight(reply)) return;
    wrong = { path, reply };
    throw new Error('not handled correctly');
  });
  await fc.check(property, { numRuns: generatedRuns, seed: randomSeed });
  if (thrown !== undefined) throw thrown.error;
  return wrong;
}

const plain = fc.constantFrom('a', 'b', 'report', '2026', 'x-y', 'A_b');
const dotted = fc.constantFrom('..a', 'a..', 'a..b', '...', '....', '.a', '%2e%2e', '..%2f', '%2E.');
const segment = fc.oneof({ weight: 3, arbitrary: plain }, { weight: 2, arbitrary: dotted });

/** Paths that break the rule: a `..` segment somewhere, or no slash at the start. Many start with `directory`. */
export function illegalPathArbitrary(directory: string): fc.Arbitrary<string> {
  const around = fc.array(fc.oneof({ weight: 5, arbitrary: segment }, { weight: 2, arbitrary: fc.constant('..') }), {
    maxLength: 3,
  });
  const climbing = fc
    .tuple(fc.constantFrom('', directory), around, around)
    .map(([start, before, after]) => `${start}/${[...before, '..', ...after].join('/')}`);
  const rootless = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'));
  return fc
    .oneof({ weight: 4, arbitrary: climbing }, { weight: 1, arbitrary: rootless })
    .filter((path) => !keepsPathRule(path));
}

const dots = ['..', '...', '.', '%2e', '%2e%2e'];

/** Names with dots before, inside and after them that do not form a `..` segment. */
export function dottedNames(name: string): string[] {
  return dots.flatMap((piece, index) => {
    const unique = `${name}-${index}`;
    return [`${piece}${unique}`, `${unique}${piece}x`, `${unique}${piece}`];
  });
}
