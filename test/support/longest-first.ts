import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { shuffledByName } from './random-seed.ts';

/** The files that take longest in the full run, longest first. Only the order depends on this list. */
export const longest = [
  'test/package.full.test.ts',
  'test/conformance-lost-target.test.ts',
  'test/databases.full.test.ts',
  'test/installing.full.test.ts',
  'test/example-react-app.full.test.ts',
  'test/torture-connections.full.test.ts',
  'test/power/guard/guard.test.ts',
  'test/conformance-every-reply.test.ts',
  'test/strange-answers.test.ts',
  'test/power/held-out/held-out.test.ts',
  'test/vary-example.full.test.ts',
  'test/observe-runs.test.ts',
  'test/generators/generators.full.test.ts',
  'test/torture-soak.full.test.ts',
  'test/key-first.test.ts',
  'test/power/reasons.test.ts',
  'test/files-are-put-back.test.ts',
  'test/developer-page-state.test.ts',
  'test/observe-others.test.ts',
  'test/observe.test.ts',
  'test/conformance-long-lists.test.ts',
  'test/kept-pages.test.ts',
  'test/developer-page-points.test.ts',
  'test/documents.test.ts',
  'test/behaviours.test.ts',
  'test/developer-page-try.test.ts',
  'test/conformance-in-vitest.test.ts',
  'test/developer-page-traffic.test.ts',
  'test/proxy-smuggling.test.ts',
  'test/proxy-idle-clients.test.ts',
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
