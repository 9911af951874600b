import type { Settings } from '../../../conformance/config/settings.ts';
import { type Mode, settingsForMock } from '../fixtures.ts';
import type { OddLegalServer, RunningOddServer } from './oddity.ts';

/** Everything settles within 700 ms on these servers. */
const settleMs = 1_800;

/** The settings for an odd server. */
export function settingsForOdd({ baseUrl, keys, mock, fixtures }: RunningOddServer, mode: Mode): Settings {
  const [apiKey = '', otherApiKey = ''] = keys;
  return settingsForMock(mock, baseUrl, mode, { apiKey, otherApiKey, fixtures, settleMs, timeoutMs: 3_000 });
}

/** Whether a check is one of those that a server may be warned by. */
export function mayWarn({ mayWarn: patterns }: OddLegalServer, id: string): boolean {
  return patterns.some((pattern) => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(id));
}
