import { type Config, type Settings, toSettings } from '../../conformance/config/settings.ts';
import type { Mock } from '../../src/index.ts';
import { fixturesOf } from './fixtures.ts';

/** A part of a config, or of its fixtures, that can be left out. */
type Part = 'otherApiKey' | 'allowWrites' | 'allowDestructive' | 'openPoints' | keyof NonNullable<Config['fixtures']>;

/** Settings with everything that a user can give for a mock with the demo seed, but for some parts. */
export function settingsWithout(mock: Mock, ...parts: readonly Part[]): Settings {
  const kept = <T extends object>(value: T): T =>
    Object.fromEntries(Object.entries(value).filter(([name]) => !parts.includes(name as Part))) as T;
  const whole = {
    baseUrl: mock.url,
    apiKey: 'demo-key',
    otherApiKey: 'demo-key-2',
    allowWrites: true,
    allowDestructive: true,
    openPoints: { treePathParameter: 'path' },
  };
  return toSettings({ ...kept(whole), fixtures: kept(fixturesOf(mock)) });
}

export type { Part };
