import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { shuffledByName } from './random-seed.ts';

/** The files that take longest in the full run, longest first. Only the order depends on this list. */
export const longest = [
  'test/package/package.full.test.ts',
  'test/suite/lost-target.test.ts',
  'proof/databases/all.full.test.ts',
  'test/package/installing.full.test.ts',
  'test/package/example-react-app.full.test.ts',
  'proof/torture/connections.full.test.ts',
  'proof/power/guard/guard.test.ts',
  'test/suite/every-reply.full.test.ts',
  'test/suite/strange-answers.test.ts',
  'proof/held-out/held-out.test.ts',
  'test/vary/example.full.test.ts',
  'test/suite/observe-runs.full.test.ts',
  'proof/generators/generators.full.test.ts',
  'proof/torture/soak.full.test.ts',
  'test/mock/key-first.test.ts',
  'proof/power/reasons.test.ts',
  'test/suite/files-are-put-back.test.ts',
  'test/pages/state.test.ts',
  'test/suite/observe-others.test.ts',
  'test/suite/observe.test.ts',
  'test/suite/long-lists.full.test.ts',
  'test/mock/kept-pages.test.ts',
  'test/pages/points.test.ts',
  'test/package/documents.test.ts',
  'test/pages/try.test.ts',
  'test/suite/in-vitest.full.test.ts',
  'test/pages/traffic.test.ts',
  'proof/smuggling/proxy.test.ts',
  'test/proxy/slow-clients.test.ts',
];

/**
 * Starts with the files that take longest, so that no worker is left alone with one at the end. The rest is shuffled.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config;
    const named = new Map(files.map((file) => [relative(root, file.moduleId), file]));
    return longestFirst([...named.keys()], sequence.seed).flatMap((name) => named.get(name) ?? []);
  }
}

export function longestFirst(names: readonly string[], seed: number): string[] {
  const long = longest.filter((name) => names.includes(name));
  const others = names.filter((name) => !long.includes(name));
  return [...long, ...shuffledByName(others, seed, (name) => name)];
}
