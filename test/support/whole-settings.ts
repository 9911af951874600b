import { type Config, type Settings, toSettings } from '../../conformance/config/settings.ts';
import type { Mock } from '../../src/index.ts';
import { fixturesOf } from '../power/fixtures.ts';

/** A part of a config, or of its fixtures, that can be left out. */
export type Part =
  | 'otherApiKey'
  | 'allowWrites'
  | 'allowDestructive'
  | 'openPoints'
  | keyof NonNullable<Config['fixtures']>;

/** A config with everything that a user can give for a mock with the demo seed. */
export function wholeConfig(mock: Mock) {
  return {
    ...{ baseUrl: mock.url, apiKey: 'demo-key', otherApiKey: 'demo-key-2' },
    ...{ allowWrites: true, allowDestructive: true },
    fixtures: fixturesOf(mock),
    openPoints: { treePathParameter: 'path' },
  };
}

/** Settings with all of that but some parts. */
export function settingsWithout(mock: Mock, ...parts: readonly Part[]): Settings {
  const kept = <T extends object>(value: T): T =>
    Object.fromEntries(Object.entries(value).filter(([name]) => !parts.includes(name as Part))) as T;
  const { fixtures, ...config } = wholeConfig(mock);
  return toSettings({ ...kept(config), fixtures: kept(fixtures) });
}
