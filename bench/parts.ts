/*
 * To add a figure: a row of a part here; measure it in `throughput.ts`, `sandboxes.ts`, `scale.ts` or a file of its own.
 * What is started and asked: `servers.ts`, `peers.ts`, `mixed.ts`; the tables: `report.ts`.
 */
import { keyHeader } from './http.ts';
import type { Material } from './material.ts';
import { type Goal, median, type Report, type Row } from './report.ts';
import { measureSandboxes } from './sandboxes.ts';
import { measureScale } from './scale.ts';
import { mock, page } from './servers.ts';
import type { Settings } from './settings.ts';
import { measureLoad, measureStarts } from './throughput.ts';

/** What the parts of a run work with. */
export interface Bench {
  material: Material;
  settings: Settings;
  tell(text: string): void;
}

type Part = (bench: Bench) => Promise<Pick<Report, 'rows'> & Partial<Report>>;

const atLeast = (value: number, floor?: number): Goal => ({
  ...{ kind: 'at least', value },
  ...(floor === undefined ? {} : { floor }),
});
const atMost = (value: number): Goal => ({ kind: 'at most', value });

const read = `GET ${page}`;
// A made-up id has 36 characters and a head of 16 bytes.
const ownStringsBytes = 36 + 16;

/** The parts of a run, in their order, by the name that `--only` takes. */
export const parts = {
  reads: async ({ material, settings, tell }) => {
    const headers = Object.entries(keyHeader).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const load = await measureLoad(material.read, { path: page, args: headers, refusedShare: 0 }, settings, tell);
    const { mock: own, bare, prism: first, scalar, steady, mockoon } = load;
    const [toBare, toPeer] = [atLeast(0.65, 0.55), atLeast(2.5, 2)];
    const against = (peer: typeof own, goal: Goal): Row => {
      return { what: `${read}, against ${peer.name}`, value: own.perSecond / peer.perSecond, goal };
    };
    return {
      servers: Object.values(load),
      rows: [
        against(bare, toBare),
        { what: `${read}, by processor time, against ${bare.name}`, value: bare.cpuUs / own.cpuUs, goal: toBare },
        against(first, atLeast(12, 9)),
        ...[scalar, steady, mockoon].map((peer) => against(peer, toPeer)),
        { what: `memory after this load, against ${first.name}`, value: own.mib / first.mib, goal: atMost(0.4) },
      ],
    };
  },
  mixed: async ({ material, settings, tell }) => {
    const { mixed, mixedScript, refusedShare } = material;
    const traffic = { path: '', args: ['-s', mixedScript], refusedShare };
    const { mock: own, bare } = await measureLoad(mixed, traffic, settings, tell);
    const what = `mixed load, by processor time, against a ${bare.name}`;
    return { rows: [{ what, value: bare.cpuUs / own.cpuUs, goal: atLeast(0.5) }] };
  },
  start: async ({ material, settings }) => {
    const times = await measureStarts([mock(), material.read.prism], settings.startRounds);
    const [own, others] = times.map(median) as [number, number];
    return { rows: [{ what: 'start to first response, against Prism', value: own / others, goal: atMost(0.3) }] };
  },
  scale: async ({ settings }) => {
    const { largeMs, smallMs, loadingMs, heapBytes } = await measureScale('pages', settings.pageRequests);
    const trees = await measureScale('trees', settings.treeDeletions);
    const what = 'page near the end of 100,000 drives, against the first of 1,000';
    return {
      rows: [
        { what, value: median(largeMs) / median(smallMs), goal: atMost(1.2) },
        { what: 'deleting a tree of 10 of 100,000 files', value: median(trees.largeMs), unit: 'ms', goal: atMost(10) },
        { what: 'loading 100,000 drives', value: loadingMs / 1000, unit: 's', goal: atMost(1) },
        {
          ...{ what: 'memory of each of these drives, without its strings', unit: 'bytes' },
          ...{ value: heapBytes / 100_000 - ownStringsBytes, goal: atMost(400) },
        },
      ],
    };
  },
  sandboxes: async ({ settings }) => {
    const samples = await measureSandboxes(settings.sandboxRounds);
    const [seconds, kib, usedKib] = [
      median(samples.map(({ openedMs }) => openedMs / 1000)),
      median(samples.map(({ bytesEach }) => bytesEach / 1024)),
      median(samples.map(({ usedBytesEach }) => usedBytesEach / 1024)),
    ];
    return {
      rows: [
        { what: 'opening 1,000 sandboxes', value: seconds, unit: 's', goal: atMost(0.1) },
        { what: 'memory of each sandbox', value: kib, unit: 'KiB', goal: atMost(12) },
        { what: 'the same after a test lists everything and creates a drive', value: usedKib, unit: 'KiB' },
      ],
    };
  },
} satisfies Record<string, Part>;

export type PartName = keyof typeof parts;

/** One report of several parts. */
export async function measureParts(bench: Bench, names: readonly PartName[]): Promise<Report> {
  const rows: Row[] = [];
  const servers: Report['servers'][number][] = [];
  for (const name of names) {
    const part: Part = parts[name];
    const report = await step(bench.tell, name, () => part(bench));
    rows.push(...report.rows);
    servers.push(...(report.servers ?? []));
  }
  return { rows, servers };
}

/** Does one step of a run, and names it: when it begins, and where it fails. */
export async function step<Result>(tell: Bench['tell'], name: string, run: () => Promise<Result>): Promise<Result> {
  tell(name);
  try {
    return await run();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`The part "${name}" failed: ${why}`, { cause: error });
  }
}
