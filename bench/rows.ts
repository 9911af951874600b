import type { Pace } from './pace.ts';
import { type Aim, figure, median, percentile, type Row, type Samples } from './report.ts';
import type { Comparison, ScaleSample } from './scale.ts';
import type { SandboxesSample } from './small.ts';
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

const atLeast = (value: number): Aim => ({ kind: 'at least', value });
const atMost = (value: number): Aim => ({ kind: 'at most', value });

type Load = Readonly<Record<'mock' | 'prism' | 'bare', readonly LoadSample[]>>;
type Against<Peer extends string, Sample = LoadSample> = Readonly<Record<'mock' | Peer, readonly Sample[]>>;

const page = 'GET /drives?limit=20';

export function loadRows({ mock, prism, bare }: Load): Row[] {
  const [toPrism, toBare] = [{ aim: atLeast(25), before: '10 to 12' }, { aim: atLeast(0.75) }];
  return [
    { ...throughputRow(page, mock, 'Prism', prism), ...toPrism },
    { ...throughputRow(page, mock, 'a bare server', bare), ...toBare, before: '0.30' },
    ...processorRows(page, mock, 'a bare server', bare).map((row) => ({ ...row, ...toBare })),
  ].map((row) => ({ ...row, profile: profileOfLoad }));
}

export function mixedRows({ mock, bare }: Against<'bare'>): Row[] {
  return [
    { ...throughputRow('mixed load', mock, 'a bare server', bare), aim: atLeast(0.6) },
    ...processorRows('mixed load', mock, 'a bare server', bare).map((row) => ({ ...row, aim: atLeast(0.6) })),
  ];
}

export function proxyRows({ mock, bare }: Against<'bare'>): Row[] {
  return [
    { ...throughputRow('proxy', mock, 'a bare proxy', bare), aim: atLeast(0.5) },
    ...processorRows('proxy', mock, 'a bare proxy', bare).map((row) => ({ ...row, aim: atLeast(0.5) })),
  ];
}

export function stateRow({ mock, without }: Against<'without'>): Row {
  return throughputRow('creations with --state, against without', mock, 'without', without);
}

function throughputRow(what: string, mock: readonly LoadSample[], name: string, peer: readonly LoadSample[]): Row {
  const of = (samples: readonly LoadSample[]) => samples.map((sample) => sample.perSecond);
  return { what, unit: 'per s', mock: of(mock), peer: { name, samples: of(peer) } };
}

// Does not depend on what the load generator leaves of the machine. None where the system does not say.
function processorRows(what: string, mock: readonly LoadSample[], name: string, peer: readonly LoadSample[]): Row[] {
  const of = (samples: readonly LoadSample[]) =>
    samples.flatMap(({ perSecond, cores }) => (cores === undefined ? [] : [perSecond / cores.server]));
  if (of(mock).length === 0 || of(peer).length === 0) return [];
  const unit = 'per s of processor time';
  return [{ what: `${what}, by processor time`, unit, mock: of(mock), peer: { name, samples: of(peer) } }];
}

export function paceRow({ mock, bare }: Against<'bare', Pace>): Row {
  const p99 = (paces: readonly Pace[]) => paces.map(({ durationsMs }) => percentile(durationsMs, 99));
  const peer = { name: 'a bare server', samples: p99(bare) };
  return { what: "p99 latency at half the mock's maximum load", unit: 'ms', mock: p99(mock), peer, aim: atMost(2) };
}

export function startRows({ built, source, prism }: Readonly<Record<'built' | 'source' | 'prism', Samples>>): Row[] {
  const shared = { unit: 'ms', peer: { name: 'Prism', samples: prism }, profile: profileOfStart };
  return [
    { what: 'start to first response, package', mock: built, ...shared, aim: atMost(0.25), before: '0.32' },
    {
      what: 'start to first response, npm start in a clone',
      mock: source,
      ...shared,
      aim: atMost(0.5),
      before: '0.73',
    },
  ];
}

export function memoryRows({ mock, prism }: Load, growth: { few: number; many: number }, most: number): Row[] {
  const loaded = (samples: readonly LoadSample[]) => samples.map((sample) => sample.loaded.nowMib);
  const peer = { name: 'Prism', samples: loaded(prism) };
  const before = { name: 'after 10,000', samples: [growth.few] };
  const what = `memory after ${most.toLocaleString('en-US')} requests`;
  return [
    {
      what: 'memory after load',
      unit: 'MiB',
      mock: loaded(mock),
      peer,
      aim: atMost(0.35),
      before: '0.55',
      profile: profileOfHeap,
    },
    { what, unit: 'MiB', mock: [growth.many], peer: before, aim: atMost(1.05), profile: profileOfHeap },
  ];
}

export function pagesRow({ largeMs, smallMs }: ScaleSample): Row {
  const peer = { name: 'first page of 1,000', samples: smallMs };
  const what = 'page near the end of 100,000 drives';
  return {
    what,
    unit: 'ms',
    mock: largeMs,
    peer,
    aim: atMost(1.2),
    before: '1.1 to 1.6',
    profile: profileOfScale('pages', 100_000),
  };
}

export function treesRow({ largeMs }: ScaleSample): Row {
  return {
    what: 'deleting a tree of 10 of 100,000 files',
    unit: 'ms',
    mock: largeMs,
    aim: atMost(10),
    profile: profileOfScale('trees', 10_000),
  };
}

// A made-up id has 36 characters and a head of 16 bytes.
const ownStringsBytes = 36 + 16;

export function loadingRows({ loadingMs, heapBytes }: ScaleSample): Row[] {
  const each = heapBytes / 100_000 - ownStringsBytes;
  return [
    { what: 'loading 100,000 drives', unit: 's', mock: [loadingMs / 1000], aim: atMost(1) },
    {
      what: 'memory of each of these drives, without its strings',
      unit: 'bytes',
      mock: [each],
      aim: atMost(400),
      before: 'about 1,000 bytes',
    },
  ];
}

export function sandboxRows(samples: readonly SandboxesSample[]): Row[] {
  const opened = samples.map(({ openedMs }) => openedMs / 1000);
  const each = samples.map(({ bytesEach }) => bytesEach / 1024);
  const used = samples.map(({ usedBytesEach }) => usedBytesEach / 1024);
  return [
    { what: 'opening 1,000 sandboxes', unit: 's', mock: opened, aim: atMost(0.1), before: '0.1 s' },
    { what: 'memory of each sandbox', unit: 'KiB', mock: each, aim: atMost(12), before: '6 to 8 KiB' },
    { what: 'memory of each sandbox after a test that lists everything and creates a drive', unit: 'KiB', mock: used },
  ];
}

export function firstAnswerRow(samplesMs: Samples): Row {
  const mock = samplesMs.map((sample) => sample / 1000);
  return { what: 'createMock() to its first response', unit: 's', mock, aim: atMost(0.03), before: '0.13 s' };
}

/** What one should know to judge the ratios of the load. */
export function loadNotes(load: Readonly<Record<string, readonly LoadSample[]>>): string[] {
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
export function disturbances(load: Readonly<Record<string, readonly LoadSample[]>>): string[] {
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
