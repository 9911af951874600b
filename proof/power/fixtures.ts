import { type Config, type Settings, toSettings } from '../../conformance/run/settings.ts';
import type { Mock } from '../../src/index.ts';
import { fixturesOf } from '../../test/support/fixtures.ts';
import type { SecondServer } from './second-server/start.ts';

/** What a run over a server of these proofs may do. */
export type Mode = 'write' | 'read';

/**
 * The settings of a run. Everything settles within 500 ms here, or half a second and three calls. Every request is answered,
 * but late on a busy machine: what never answers has a limit of its own.
 */
export function settingsFor(mode: Mode, others: Parameters<typeof toSettings>[0]): Settings {
  const isWriting = mode === 'write';
  const limits = { settleMs: 1_500, timeoutMs: 60_000 };
  return toSettings({ allowWrites: isWriting, allowDestructive: isWriting, ...limits, ...others });
}

/** The settings for a server over the demo seed, with everything vouched for that a user could know. */
export function settingsForMock(mock: Mock, baseUrl: string, mode: Mode, overrides: Partial<Config> = {}): Settings {
  const [apiKey = '', otherApiKey] = mock.keys;
  const { treePathParameter } = mock.profile;
  const fixtures = overrides.fixtures ?? fixturesOf(mock);
  const isShared = Object.entries(mock.profile).some(
    ([id, choice]) => id === 'foreignResources' && choice === 'shared',
  );
  const openPoints = { treePathParameter, ...(isShared && { foreignResources: 'shared' as const }) };
  const keys = { apiKey, ...(otherApiKey !== undefined && { otherApiKey }) };
  return settingsFor(mode, { baseUrl, ...keys, openPoints, ...overrides, fixtures });
}

/** The limit of a run over a mutant, where it never answers some requests. */
export function limitsOf({ timeoutMs }: { timeoutMs?: number }): { timeoutMs?: number } {
  return timeoutMs === undefined ? {} : { timeoutMs };
}

/** The settings for the second server. */
export function settingsForSecondServer(server: SecondServer, mode: Mode): Settings {
  const { baseUrl, apiKey, otherApiKey, treePathParameter, agent, files, disposableFiles, mcpServer } = server;
  const fixtures = { agent, files, disposableFiles, mcpServer };
  return settingsFor(mode, { baseUrl, apiKey, otherApiKey, fixtures, openPoints: { treePathParameter } });
}
