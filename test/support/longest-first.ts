import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { shuffledByName } from './random-seed.ts';

/** The files that take longest in the full run, longest first. Only the order depends on this list. */
export const longest = [
  'test/package/package.full.test.ts',
  'test/package/installing.full.test.ts',
  'proof/databases/all.full.test.ts',
  'test/pages/points.test.ts',
  'test/package/test-runners.full.test.ts',
  'test/package/example-react-app.full.test.ts',
  'proof/torture/connections.full.test.ts',
  'proof/generators/generators.full.test.ts',
  'proof/power/guard/guard.test.ts',
  'proof/held-out/held-out.test.ts',
  'test/vary/vary.test.ts',
  'test/suite/every-reply.full.test.ts',
  'test/package/documents.test.ts',
  'test/cli/printed-commands.full.test.ts',
  'test/suite/lost-target.test.ts',
  'test/suite/run.test.ts',
  'test/suite/files-are-put-back.test.ts',
  'test/suite/circumstances.test.ts',
  'test/vary/example.full.test.ts',
  'test/package/example-conformance-ci.full.test.ts',
  'test/package/example-next.full.test.ts',
  'test/package/example-storybook.full.test.ts',
  'test/mock/fetch-facts.test.ts',
  'test/pages/try.test.ts',
  'test/pages/state.test.ts',
  'test/suite/strange-answers.test.ts',
  'proof/torture/soak.full.test.ts',
  'test/suite/findings.test.ts',
  'test/suite/pace.test.ts',
  'test/suite/in-vitest.full.test.ts',
  'test/suite/observe.test.ts',
  'test/contract/clients.test.ts',
  'test/contract/choices.test.ts',
  'test/mock/forced-answers.test.ts',
  'test/mock/watch.test.ts',
  'test/suite/endings.test.ts',
  'test/suite/options.test.ts',
  'test/suite/plan.test.ts',
  'test/suite/exit-codes.test.ts',
];

/**
 * Starts with the files that take longest, so that no worker is left alone with one at the end. The rest is shuffled. With
 * `--shard`, the files are dealt in this order, so that every shard takes about as long.
 */
export class LongestFirst extends BaseSequencer {
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard ?? { index: 1, count: 1 };
    return (await this.sort(files)).filter((_, place) => place % count === index - 1);
  }

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
