import fc from 'fast-check';
import { isLegalPath } from './path-vectors.ts';
import type { Reply } from './target.ts';

const generatedRuns = 40;

/** A generated path that a target did not treat as it must, made as small as it gets. */
export interface Counterexample {
  path: string;
  reply: Reply;
}

/**
 * Sends generated paths until one is not treated as it must be, and shrinks that one. What `send` throws ends the
 * search and is thrown on.
 */
export async function findCounterexample(
  paths: fc.Arbitrary<string>,
  randomSeed: number,
  send: (path: string) => Promise<Reply>,
  isRight: (reply: Reply) => boolean,
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
    throw new Error('not treated as it must be');
  });
  await fc.check(property, { numRuns: generatedRuns, seed: randomSeed });
  if (thrown !== undefined) throw thrown.error;
  return wrong;
}

const plain = fc.constantFrom('a', 'b', 'report', '2026', 'x-y', 'A_b');
const dotted = fc.constantFrom('..a', 'a..', 'a..b', '...', '....', '.a', '%2e%2e', '..%2f', '%2E.');
const segment = fc.oneof({ weight: 3, arbitrary: plain }, { weight: 2, arbitrary: dotted });

/** Paths that break the rule: a `..` segment somewhere, or no slash at the start. `directory` begins most of them. */
export function illegalPathArbitrary(directory: string): fc.Arbitrary<string> {
  const around = fc.array(segment, { maxLength: 3 });
  const climbing = fc
    .tuple(fc.constantFrom('', directory), around, around)
    .map(([start, before, after]) => `${start}/${[...before, '..', ...after].join('/')}`);
  const rootless = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'));
  return fc
    .oneof({ weight: 4, arbitrary: climbing }, { weight: 1, arbitrary: rootless })
    .filter((path) => !isLegalPath(path));
}

/** Names with dots that make no `..` segment, as paths in a directory. */
export function legalPathArbitrary(directory: string, unique: string): fc.Arbitrary<string> {
  const dots = fc.constantFrom('..', '...', '.', '%2e', '%2e%2e');
  return fc
    .tuple(dots, fc.boolean(), fc.integer({ min: 0, max: 9_999 }))
    .map(
      ([piece, isFirst, number]) =>
        `${directory}/${isFirst ? piece : ''}${unique}-${number}${isFirst ? '' : `${piece}x`}`,
    );
}
