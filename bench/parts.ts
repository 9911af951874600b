/*
 * To add a figure: a part here; measure it in `throughput.ts`, `pace.ts`, `small.ts`, `scale.ts`, `suite.ts` or
 * `vary.ts`; what is started and asked: `servers.ts`, `mixed.ts`; its row: `rows.ts`; the table: `document.ts`.
 */
import { end } from './children.ts';
import type { Material } from './material.ts';
import { mixedRequests } from './mixed.ts';
import { median, type Report } from './report.ts';
import * as rows from './rows.ts';
import { measureScale } from './scale.ts';
import { bareProxy, proxy } from './servers.ts';
import type { Settings } from './settings.ts';
import { measureFirstAnswers, measureSandboxes } from './small.ts';
import { measureGrowth, measureLoad, measurePaces, measureStarts, type Requests } from './throughput.ts';

/** What the parts of a run work with. */
export interface Bench {
  material: Material;
  settings: Settings;
  tell(text: string): void;
}

type Part = (bench: Bench) => Promise<Report>;

const createDrive: Requests = [
  {
    ...{ method: 'POST', path: '/drives', body: '{"name":"Quarterly reports"}' },
    headers: { 'x-api-key': 'demo-key', 'content-type': 'application/json' },
  },
];

/** The parts of a run, in their order, by the name that `--only` takes. */
export const parts = {
  load: async ({ material, settings, tell }) => {
    const load = await measureLoad(material.loaded, settings, tell);
    const { growthRequests } = settings;
    tell(`Memory over ${growthRequests} requests`);
    const growth = await measureGrowth(material.loaded.mock, 10_000, growthRequests);
    tell('An even pace at half of the maximum');
    const { mock, bare } = material.loaded;
    const half = median(load.mock.map(({ perSecond }) => perSecond)) / 2;
    const paces = await measurePaces({ mock, bare }, half, settings);
    return {
      rows: [...rows.loadRows(load), rows.paceRow(paces), ...rows.memoryRows(load, growth, growthRequests)],
      notes: [material.answers, ...rows.loadNotes(load)],
      warnings: rows.disturbances(load),
    };
  },
  mixed: async ({ material, settings, tell }) => {
    const load = await measureLoad(material.mixed, settings, tell, mixedRequests);
    return { rows: rows.mixedRows(load), notes: rows.loadNotes(load), warnings: rows.disturbances(load) };
  },
  start: async ({ material, settings }) => {
    const starts = await measureStarts(material.started, settings.startRounds);
    const firstAnswers = await measureFirstAnswers(settings.smallRounds);
    return { rows: [...rows.startRows(starts), rows.firstAnswerRow(firstAnswers)], notes: [], warnings: [] };
  },
  scale: async ({ settings }) => {
    const pages = await measureScale('pages', settings.pageRequests);
    const trees = await measureScale('trees', settings.treeDeletions);
    return {
      rows: [rows.pagesRow(pages), rows.treesRow(trees), ...rows.loadingRows(pages)],
      notes: [rows.scaleNote('100,000 drives', pages), rows.scaleNote('100,000 files', trees)],
      warnings: [],
    };
  },
  sandboxes: async ({ settings }) => {
    return { rows: rows.sandboxRows(await measureSandboxes(settings.smallRounds)), notes: [], warnings: [] };
  },
  proxy: async ({ material, settings, tell }) => {
    const target = await material.loaded.bare.start();
    try {
      const load = await measureLoad({ mock: proxy(target), bare: bareProxy(target) }, settings, tell);
      return { rows: rows.proxyRows(load), notes: rows.loadNotes(load), warnings: [] };
    } finally {
      await end(target.child);
    }
  },
  state: async ({ material, settings, tell }) => {
    const load = await measureLoad(material.kept, settings, tell, createDrive);
    return { rows: [rows.stateRow(load)], notes: rows.loadNotes(load), warnings: [] };
  },
} satisfies Record<string, Part>;

export type PartName = keyof typeof parts;

/** One report of several parts. */
export async function measureParts(bench: Bench, names: readonly PartName[]): Promise<Report> {
  const reports: Report[] = [];
  for (const name of names) reports.push(await step(bench.tell, name, () => parts[name](bench)));
  return {
    rows: reports.flatMap(({ rows }) => rows),
    notes: reports.flatMap(({ notes }) => notes),
    warnings: reports.flatMap(({ warnings }) => warnings),
  };
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
