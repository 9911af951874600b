import { type Draft, newDraft } from './draft.ts';

/** A frequent fault, as a draft to start from. */
export interface Preset {
  label: string;
  draft(organizationId: string): Draft;
}

/** The buttons above the form. */
export const presets: readonly Preset[] = [
  { label: 'Slow response', draft: (sandbox) => newDraft('latency', sandbox) },
  { label: 'Server error', draft: (sandbox) => newDraft('status', sandbox) },
  { label: 'Unavailable for a while', draft: (sandbox) => unavailable(sandbox) },
  {
    label: 'Key rejected',
    draft: (sandbox) => newDraft('status', sandbox, { settings: { code: '401', retryAfterSeconds: '' } }),
  },
  { label: 'Too many requests', draft: (sandbox) => tooMany(sandbox) },
  { label: 'No connection', draft: (sandbox) => newDraft('connectionReset', sandbox, { moment: 'before' }) },
  {
    label: 'Response lost after the change',
    draft: (sandbox) => newDraft('connectionReset', sandbox, { timing: 'next' }),
  },
  { label: 'Broken JSON', draft: (sandbox) => newDraft('truncatedBody', sandbox) },
  { label: 'Slow body', draft: (sandbox) => newDraft('slowDribble', sandbox) },
  { label: 'HTML instead of JSON', draft: (sandbox) => newDraft('wrongMediaType', sandbox) },
  { label: 'Occasional errors', draft: (sandbox) => newDraft('status', sandbox, { timing: 'share', count: '20' }) },
];

function unavailable(sandbox: string): Draft {
  return newDraft('status', sandbox, { settings: { code: '503', retryAfterSeconds: '2' }, timing: 'next', count: '2' });
}

function tooMany(sandbox: string): Draft {
  return newDraft('status', sandbox, {
    settings: { code: '429', retryAfterSeconds: '1' },
    timing: 'every',
    count: '3',
  });
}
