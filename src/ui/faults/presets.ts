import type { Fault } from '../../app/faults/fault.ts';

/** A frequent fault to start from. */
interface Preset {
  label: string;
  fault: Fault;
}

const status = (code: number, retryAfterSeconds?: number) => ({
  status: { code, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) },
});

/** The buttons above the form. */
export const presets: readonly Preset[] = [
  { label: 'Slow response', fault: { effect: { latency: { fromMs: 2000, toMs: 2000 } } } },
  { label: 'Server error', fault: { effect: status(500) } },
  { label: 'Unavailable for a while', fault: { effect: status(503, 2), when: { next: 2 } } },
  { label: 'Key rejected', fault: { effect: status(401) } },
  { label: 'Too many requests', fault: { effect: status(429, 1), when: { every: 3 } } },
  { label: 'No connection', fault: { effect: { connectionReset: {} }, moment: 'before' } },
  { label: 'Response lost after the change', fault: { effect: { connectionReset: {} }, when: { next: 1 } } },
  { label: 'Broken JSON', fault: { effect: { truncatedBody: {} } } },
  { label: 'Slow body', fault: { effect: { slowDribble: { overMs: 3000 } } } },
  { label: 'JSON declared as HTML', fault: { effect: { wrongMediaType: { contentType: 'text/html' } } } },
  { label: 'Occasional errors', fault: { effect: status(500), when: { share: 0.2 } } },
];
