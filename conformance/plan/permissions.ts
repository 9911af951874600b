import { loadDocument } from '../../openapi/contract/load.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import type { RegisteredCheck } from '../checks/index.ts';
import type { Settings } from '../config/settings.ts';
import type { Observer } from '../observe/observer.ts';

/** The settings for some checks and observers: if they only read, nothing is written, whatever the config allows. */
export function settingsFor(
  checks: readonly RegisteredCheck[],
  settings: Settings,
  observers: readonly Observer[],
): Settings {
  const reads = new Set(operationsOf(loadDocument()).flatMap((one) => (one.isRead ? [one.operationId] : [])));
  const isReading = checks.every(({ operation, needs, effects: { drives, mcpServers, deletions, moves } }) => {
    const changes = drives || mcpServers || deletions || moves;
    return reads.has(operation) && !needs.includes('writes') && !changes;
  });
  return isReading && observers.every(({ effects }) => effects === undefined)
    ? { ...settings, allowWrites: false, allowDestructive: false }
    : settings;
}
