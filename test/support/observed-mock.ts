import { type Observed, observe } from '../../conformance/observe/observe.ts';
import { observers } from '../../conformance/observe/table.ts';
import { reach } from '../../conformance/run/reach.ts';
import type { Config, Settings } from '../../conformance/run/settings.ts';
import { collectLeftovers, moveAllBack } from '../../conformance/safety/tidy-up.ts';
import type { Session } from '../../conformance/target/session.ts';
import { inSession } from '../../conformance/target/session.ts';
import { say } from '../../lib/sentence.ts';
import type { Choice } from '../../openapi/points/open-point.ts';
import { settingsForMock } from '../../proof/power/fixtures.ts';
import { loadSeed } from '../../src/http/load-settings.ts';
import { createMock, type Mock, type MockOptions, type Seed } from '../../src/index.ts';
import { timeLimit } from './time-limit.ts';

export const tool = 'agent-platform-conformance/test';

// Files of the demo seed change their status after some seconds: only runs on a busy machine would see that.
const withoutChanges = (name: string, value: unknown) => (name === 'becomes' ? undefined : value);
const seed: Seed = JSON.parse(JSON.stringify(loadSeed(), withoutChanges));

/** Starts a mock while `use` runs, with a demo seed that does not change by itself. All its data may be used. */
export async function withMock<T>(
  options: MockOptions,
  use: (observed: { mock: Mock; settings: Settings }) => Promise<T>,
  config: Partial<Config> = {},
): Promise<T> {
  const mock = await createMock({ seed, ...options });
  try {
    return await use({ mock, settings: settingsFor(mock, config) });
  } finally {
    await mock.close();
  }
}

// The maximum that the config allows.
const longestTimeoutMs = 3_600_000;

/** All permissions, unless `config` says otherwise. */
function settingsFor(mock: Mock, config: Partial<Config>): Settings {
  // A mock always responds, but the first request through a proxy may have to wait until Prism is loaded.
  const timeoutMs = Math.min(timeLimit(60_000), longestTimeoutMs);
  return settingsForMock(mock, mock.url, 'write', { settleMs: 2_000, timeoutMs, ...config });
}

/** What is observed on a mock about which nothing is known yet. */
export function observeMock(options: MockOptions, config?: Partial<Config>): Promise<Observed> {
  const use = async ({ settings }: { settings: Settings }) => {
    const { observed, samples } = await observeTarget(settings, tool);
    return { observed, samples };
  };
  return withMock(options, use, config);
}

/** Choices that were observed wrongly. */
export function seenWrongly({ observed }: Observed, applied: Readonly<Record<string, Choice>>): string[] {
  const ids = Object.keys(observed).filter((id) => observed[id] !== applied[id]);
  return ids.map((id) => `${id}: ${applied[id]} is seen as ${observed[id]}`);
}

/** What a target about which nothing is known yet does at open points. Moved files are moved back. */
export function observeTarget(settings: Settings, tool: string): Promise<Observed & { session: Session }> {
  return inSession(settings, { tool, reason: say`stopped` }, async (session) => {
    await reach(session);
    const result = await observe(session, observers);
    await moveAllBack(session);
    await collectLeftovers(session);
    return { ...result, session };
  });
}
