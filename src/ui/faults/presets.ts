import { type Draft, newDraft } from './draft.ts';

/** What people look for, as a draft to start from. */
export interface Preset {
  label: string;
  draft(organizationId: string): Draft;
}

/** The buttons above the form. */
export const presets: readonly Preset[] = [
  { label: 'Slow answer', draft: (world) => newDraft('latency', world) },
  { label: 'Server error', draft: (world) => newDraft('status', world) },
  { label: 'Unavailable for a while', draft: (world) => unavailable(world) },
  {
    label: 'Key refused',
    draft: (world) => newDraft('status', world, { settings: { code: '401', retryAfterSeconds: '' } }),
  },
  { label: 'Too many requests', draft: (world) => tooMany(world) },
  { label: 'No connection', draft: (world) => newDraft('connectionReset', world, { moment: 'before' }) },
  { label: 'Answer lost after the change', draft: (world) => newDraft('connectionReset', world, { timing: 'next' }) },
  { label: 'Broken JSON', draft: (world) => newDraft('truncatedBody', world) },
  { label: 'Slow body', draft: (world) => newDraft('slowDribble', world) },
  { label: 'HTML instead of JSON', draft: (world) => newDraft('wrongMediaType', world) },
  { label: 'Now and then', draft: (world) => newDraft('status', world, { timing: 'share', count: '20' }) },
];

function unavailable(world: string): Draft {
  return newDraft('status', world, { settings: { code: '503', retryAfterSeconds: '2' }, timing: 'next', count: '2' });
}

function tooMany(world: string): Draft {
  return newDraft('status', world, { settings: { code: '429', retryAfterSeconds: '1' }, timing: 'every', count: '3' });
}
