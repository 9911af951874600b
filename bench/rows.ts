import { figure, median, type Row } from './report.ts';
import type { Comparison, ScaleSample } from './scale.ts';
import type { LoadSample } from './throughput.ts';

const loadSteps = (flag: string) => [
  'npx node bench/write-seed.ts > seed.json',
  `npx node ${flag} dist/src/cli/main.js mock --port 4010 --seed seed.json > requests.log`,
  'npx autocannon -c 32 -d 10 -H x-api-key=demo-key "http://127.0.0.1:4010/v0.1/drives?limit=20"',
  'then end the mock with Ctrl-C: it writes the profile',
];
const profileOfLoad = loadSteps('--cpu-prof');
const profileOfHeap = loadSteps('--heap-prof');
const profileOfStart = ['npx node --cpu-prof dist/src/cli/main.js mock --port 4010, and end it with Ctrl-C at once'];
const profileOfScale = (comparison: Comparison, count: number) => [
  `npx node --cpu-prof bench/scale-worker.ts ${comparison} ${count} > samples.json`,
];

type Load = Readonly<Record<'mock' | 'prism' | 'bare', readonly LoadSample[]>>;

export function loadRows({ mock, prism, bare }: Load): Row[] {
  const perSecond = (samples: readonly LoadSample[]) => samples.map((sample) => sample.perSecond);
  const shared = { unit: 'per s', mock: perSecond(mock), profile: profileOfLoad };
  const toPrism = { peerName: 'Prism', peer: perSecond(prism), aim: { kind: 'at least', ratio: 15 } } as const;
  const toBare = { peerName: 'bare node:http', peer: perSecond(bare), aim: { kind: 'at least', ratio: 0.75 } } as const;
  return [
    { what: 'requests against Prism', ...shared, ...toPrism },
    { what: 'requests against the limit', ...shared, ...toBare },
  ];
}

export function startRow({ mock, prism }: Readonly<Record<'mock' | 'prism', readonly number[]>>): Row {
  return {
    what: 'start to first answer',
    unit: 'ms',
    mock,
    peerName: 'Prism',
    peer: prism,
    aim: { kind: 'at most', ratio: 0.35 },
    profile: profileOfStart,
  };
}

export function memoryRow({ mock, prism }: Load): Row {
  const loaded = (samples: readonly LoadSample[]) => samples.map((sample) => sample.loaded.nowMib);
  return {
    what: 'memory after load',
    unit: 'MiB',
    mock: loaded(mock),
    peerName: 'Prism',
    peer: loaded(prism),
    aim: { kind: 'at most', ratio: 0.4 },
    profile: profileOfHeap,
  };
}

export function pagesRow({ largeMs, smallMs }: ScaleSample): Row {
  return {
    what: 'page near the end of 1,000,000 drives',
    unit: 'ms',
    mock: largeMs,
    peerName: 'first of 1,000',
    peer: smallMs,
    aim: { kind: 'at most', ratio: 1.3 },
    profile: profileOfScale('pages', 100_000),
  };
}

export function treesRow({ largeMs, smallMs }: ScaleSample): Row {
  return {
    what: 'tree of 10 out of 1,000,000 files',
    unit: 'ms',
    mock: largeMs,
    peerName: 'out of 1,000',
    peer: smallMs,
    aim: { kind: 'at most', ratio: 1.5 },
    profile: profileOfScale('trees', 10_000),
  };
}

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
