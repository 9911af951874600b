import { afterAll, beforeEach } from 'vitest';
import { type Config, type Settings, toSettings } from '../../conformance/run/settings.ts';
import { createMock, type Mock } from '../../src/index.ts';
import { fixturesOf } from './fixtures.ts';

/** A part of a config, or of its fixtures, that can be left out. */
type Part = 'otherApiKey' | 'allowWrites' | 'allowDestructive' | 'openPoints' | keyof NonNullable<Config['fixtures']>;

/** A config with everything that a user can set for a mock with the demo seed. */
export function wholeConfig(mock: Mock) {
  return {
    ...{ baseUrl: mock.url, apiKey: 'demo-key', otherApiKey: 'demo-key-2' },
    ...{ allowWrites: true, allowDestructive: true },
    fixtures: fixturesOf(mock),
    openPoints: { treePathParameter: 'path' },
  };
}

/** Settings with all of that except some parts. */
function settingsWithout(mock: Mock, ...parts: readonly Part[]): Settings {
  const kept = <T extends object>(value: T): T =>
    Object.fromEntries(Object.entries(value).filter(([name]) => !parts.includes(name as Part))) as T;
  const { fixtures, ...config } = wholeConfig(mock);
  return toSettings({ ...kept(config), fixtures: kept(fixtures) });
}

/** A mock of the demo seed for a test file, reset before each test, and settings for it without some parts. */
export async function createDemo() {
  const mock = await createMock();
  afterAll(() => mock.close());
  beforeEach(() => mock.reset());
  return { mock, without: (...parts: Part[]) => settingsWithout(mock, ...parts) };
}
