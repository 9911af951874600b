import type { OpenPointId } from '../../openapi/contract/profile.ts';
import type { EffectCounts } from '../plan/demands.ts';
import { bodyObservers } from './bodies.ts';
import { bodySizeObservers } from './body-size.ts';
import { conflictObservers } from './conflicts.ts';
import { creationObservers } from './creations.ts';
import { invalidInputObserver } from './invalid-input.ts';
import { listObservers } from './lists.ts';
import { moveObservers } from './moves.ts';
import { nameObservers } from './new-names.ts';
import type { Observer } from './observer.ts';
import { outOfRangeObserver } from './out-of-range.ts';
import { publicationObservers } from './publications.ts';
import { refusalObservers } from './refusals.ts';
import { requestObservers } from './requests.ts';
import { treeObservers } from './trees.ts';

/** Open points that the replies show without further requests. */
const alwaysSeen: readonly OpenPointId[] = [
  'timestampPrecision',
  'timestampZone',
  'optionalFields',
  'extraFields',
  'keyOrder',
  'answerMediaType',
  'metadataShape',
  'rateLimits',
  'readStatus',
];

/** Every observer, one for each open point that can be seen from outside. They run phase by phase, in this order. */
export const observers: readonly Observer[] = [
  outOfRangeObserver,
  ...requestObservers,
  ...nameObservers,
  ...creationObservers,
  ...listObservers,
  ...publicationObservers,
  ...moveObservers,
  ...bodyObservers,
  ...bodySizeObservers,
  invalidInputObserver,
  ...treeObservers,
  ...conflictObservers,
  ...refusalObservers,
  ...alwaysSeen.map((openPoint): Observer => ({ openPoint, phase: 'judge' })),
];

/** The most that all observers together change on a legal target, besides what the checks change anyway. */
export const observingDeeds: EffectCounts = {
  drives: sum('drives'),
  mcpServers: sum('mcpServers'),
  deletions: sum('deletions'),
  otherDrives: 0,
  publications: 0,
};

function sum(name: 'drives' | 'mcpServers' | 'deletions'): number {
  return observers.reduce((total, { effects }) => total + (effects?.[name] ?? 0), 0);
}

/** The open points that cannot be seen from outside, and why. */
export const notSeen: Partial<Record<OpenPointId, string>> = {
  sizeUnit: 'No operation uploads or downloads a file, so its true size is unknown.',
  unreachableTools: 'Only a target that contacts MCP servers shows it, and a failure may have other reasons.',
  toolWithoutDescription:
    'Only a target that contacts MCP servers shows it, and all tools of the hosted MCP server have a description.',
};
