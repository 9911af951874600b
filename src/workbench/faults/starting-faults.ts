import { StartError } from '../start-error.ts';
import { type Fault, type Latency, latencyId } from './fault.ts';
import { parseFault } from './parse-fault.ts';

/** A delay: in milliseconds, as text such as `200` or `100-400`, or as in a fault. */
export type LatencyOption = number | string | Latency;

/** The faults that a mock starts with: its option `latency`. Throws a {@link StartError}. */
export function startingFaults(latency: LatencyOption | undefined): Fault[] {
  if (latency === undefined) return [];
  const fault = { id: latencyId, effect: { latency: toLatency(latency) } };
  const parsed = parseFault(fault);
  if (!Array.isArray(parsed)) return [parsed];
  const rule = 'must be milliseconds from 0 to 600000, or a range such as 100-400';
  throw new StartError('OPTION_INVALID', `latency ${rule}; it is ${JSON.stringify(latency)}.`);
}

function toLatency(latency: LatencyOption): unknown {
  if (typeof latency === 'object') return latency;
  const [, from, to] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(String(latency)) ?? [];
  return to === undefined ? { delayMs: Number(from) } : { fromMs: Number(from), toMs: Number(to) };
}
