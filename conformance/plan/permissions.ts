import { loadDocument } from '../../openapi/contract/load.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import type { RegisteredCheck } from '../checks/index.ts';
import type { Settings } from '../config/settings.ts';

/**
 * The settings for some checks: if they only read, nothing is written, whatever the config allows. To observe open
 * points, a run writes as far as permitted.
 */
export function settingsFor(checks: readonly RegisteredCheck[], settings: Settings, isObserving: boolean): Settings {
  const reads = new Set(operationsOf(loadDocument()).flatMap((one) => (one.isRead ? [one.operationId] : [])));
  const isReading = checks.every(({ operation, needs, effects: { drives, mcpServers, deletions, moves } }) => {
    const changes = drives || mcpServers || deletions || moves;
    return reads.has(operation) && !needs.includes('writes') && !changes;
  });
  return isReading && !isObserving ? { ...settings, allowWrites: false, allowDestructive: false } : settings;
}
