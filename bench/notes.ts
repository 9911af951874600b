import { figure, median } from './report.ts';
import type { ScaleSample } from './scale.ts';
import type { LoadSample } from './throughput.ts';

type Load = Readonly<Record<string, readonly LoadSample[]>>;

/** What one should know to judge the ratios of the load. */
export function loadNotes(load: Load): string[] {
  return Object.entries(load).map(([name, samples]) => `  ${name}: ${memoryNote(samples)}${coresNote(samples)}`);
}

function memoryNote(samples: readonly LoadSample[]): string {
  const of = (read: (sample: LoadSample) => number) => figure(median(samples.map(read)));
  const started = of(({ started }) => started.nowMib);
  const loaded = of(({ loaded }) => loaded.nowMib);
  const peak = of(({ loaded }) => loaded.peakMib);
  return `${started} MiB after the start, ${loaded} MiB after the load, ${peak} MiB at most`;
}

// A server that leaves its core idle is not at its limit: then the load generator is, or the machine.
function coresNote(samples: readonly LoadSample[]): string {
  const cores = samples.map((sample) => sample.cores?.server).filter((value) => value !== undefined);
  if (cores.length === 0) return '';
  const perSecond = median(samples.map((sample) => sample.perSecond / (sample.cores?.server ?? Number.NaN)));
  return `; under load ${figure(median(cores))} cores, so ${figure(perSecond)} requests per second of processor time`;
}

const tolerableCores = 0.2;

/** Whether anything else kept the machine busy: then the ratios say little. */
export function disturbances(load: Load): string[] {
  const others = Object.values(load).flatMap((samples) => samples.map((sample) => sample.cores?.others ?? 0));
  const most = Math.max(...others);
  if (most <= tolerableCores) return [];
  const disturbed = others.filter((cores) => cores > tolerableCores).length;
  const share = `${disturbed} of ${others.length} measurements under load`;
  return [`DISTURBED: other processes used up to ${figure(most)} cores in ${share}. Measure again when idle.`];
}

export function scaleNote(what: string, { loadingMs, residentMib }: ScaleSample): string {
  return `  ${what}: loading them took ${figure(loadingMs / 1000)} s; ${figure(residentMib)} MiB afterwards`;
}
