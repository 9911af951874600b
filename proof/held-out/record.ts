import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CatalogueName } from './catalogue.ts';
import type { CombinedFigures } from './combined.ts';
import type { figuresOf } from './judge.ts';

/** The first run over a catalogue, before anything was changed for it, and the last one since. */
export type Occasion = 'first-contact' | 'after-repair';

type Figures = ReturnType<typeof figuresOf> & {
  /** Of servers with several of its faults; absent where none were run. */
  combined?: CombinedFigures;
};

export function fileOf(catalogue: CatalogueName, occasion: Occasion): string {
  return join(import.meta.dirname, catalogue, `${occasion}.json`);
}

/** Writes down how a run over a whole catalogue ended, and when. */
export function writeRecord(catalogue: CatalogueName, occasion: Occasion, figures: Figures): void {
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(fileOf(catalogue, occasion), `${JSON.stringify({ date, ...figures }, null, 2)}\n`);
}

export function readRecord(catalogue: CatalogueName, occasion: Occasion): Figures & { date: string } {
  return JSON.parse(readFileSync(fileOf(catalogue, occasion), 'utf8'));
}
