import { type Config, type Settings, toSettings } from '../../conformance/config/settings.ts';
import { type Observed, observeTarget } from '../../conformance/observe/observe.ts';
import type { Choice } from '../../openapi/contract/open-points.ts';
import { createMock, type Mock, type MockOptions, type Seed } from '../../src/index.ts';
import { loadSeed } from '../../src/node/load-settings.ts';
import { fixturesOf } from './fixtures.ts';
import { timeLimit } from './time-limit.ts';

export const tool = 'agent-platform-conformance/test';

// Files of the demo seed change their status after some seconds: a run on a busy machine would see it, others not.
const withoutChanges = (name: string, value: unknown) => (name === 'becomes' ? undefined : value);
const seed: Seed = JSON.parse(JSON.stringify(loadSeed(), withoutChanges));

/** A mock that is listening, and the settings with which the suite may do everything to it. */
export interface ObservedMock {
  mock: Mock;
  settings: Settings;
}

/** Starts a mock for the time of `use`, with a demo seed that stands still. What the mock holds may be used. */
export async function withMock<T>(
  options: MockOptions,
  use: (observed: ObservedMock) => Promise<T>,
  config: Partial<Config> = {},
): Promise<T> {
  const mock = await createMock({ seed, ...options });
  try {
    return await use({ mock, settings: settingsFor(mock, config) });
  } finally {
    await mock.close();
  }
}

// The longest that the config allows.
const longestTimeoutMs = 3_600_000;

/** All permissions, unless `config` says otherwise. */
function settingsFor(mock: Mock, config: Partial<Config>): Settings {
  const [apiKey = '', otherApiKey] = mock.keys;
  return toSettings({
    ...{ baseUrl: mock.url, apiKey, allowWrites: true, allowDestructive: true, settleMs: 2_000 },
    // A mock answers each request: the first one through a proxy may have to wait until Prism is loaded.
    timeoutMs: Math.min(timeLimit(60_000), longestTimeoutMs),
    ...(otherApiKey === undefined ? {} : { otherApiKey }),
    fixtures: fixturesOf(mock),
    openPoints: { treePathParameter: mock.profile.treePathParameter },
    ...config,
  });
}

/** What is observed of a mock of which nothing is known yet. */
export function observeMock(options: MockOptions, config?: Partial<Config>): Promise<Observed> {
  const use = async ({ settings }: ObservedMock) => {
    const { observed, samples } = await observeTarget(settings, tool);
    return { observed, samples };
  };
  return withMock(options, use, config);
}

/** What was observed of a mock, and is not what it uses. */
export function seenWrongly({ observed }: Observed, applied: Readonly<Record<string, Choice>>): string[] {
  const ids = Object.keys(observed).filter((id) => observed[id] !== applied[id]);
  return ids.map((id) => `${id}: ${applied[id]} is seen as ${observed[id]}`);
}
