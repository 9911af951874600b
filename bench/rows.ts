import type { Row } from './report.ts';
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
