import { signal } from '@preact/signals';
import { announce } from '../shared/announce.tsx';
import { index } from '../shared/control.ts';
import { type Report, readReport, refuseSize } from './read-report.ts';

/** A report that is shown, with the name of its file. */
export type Opened = Report & { name: string };

/** None, one, or two to compare: before and after. They stay in memory until the page is closed or loaded again. */
export const opened = signal<readonly Opened[]>([]);

/** The rejected files, and why. */
export const refused = signal<readonly { name: string; refusal: string }[]>([]);

/** The part of a browser's `File` that is used. */
export type Source = Pick<File, 'name' | 'size' | 'text'>;

/**
 * Opens one report, or two to compare. If one is already open, the new one is compared with it, or replaces it if
 * `replaces` is set. It replaces two that are open.
 */
export async function open(sources: readonly Source[], { replaces = false } = {}): Promise<void> {
  const read = await Promise.all(sources.slice(0, mostFiles).map(readSource));
  const good = read.filter((one) => 'kind' in one);
  const bad = read.filter((one) => 'refusal' in one);
  const isAlone = replaces || opened.value.length > 1;
  const kept = isAlone || good.length > 1 ? [] : opened.value;
  const next = good.length > 1 ? inOrder(good) : [...kept, ...good];
  const misfit = next[0] && next.find(({ kind }) => kind !== next[0]?.kind);
  const tooMany =
    sources.length > 2 ? [{ name: `${sources.length} files`, refusal: 'Open one report, or two to compare.' }] : [];
  refused.value = [...tooMany, ...bad, ...(misfit === undefined ? [] : [notComparable(next)])];
  if (good.length === 0 || refused.value.length > 0) return;
  opened.value = next;
  announce(next.length === 2 ? 'Two reports compared.' : `Opened ${next[0]?.name}.`);
}

// Enough to report that there are too many.
const mostFiles = 2;

async function readSource(source: Source) {
  const { name, size } = source;
  const refusal = refuseSize(size);
  if (refusal !== undefined) return { name, ...refusal };
  try {
    return { name, ...readReport(await source.text(), index.value?.version ?? '') };
  } catch {
    return {
      name,
      refusal: 'The browser cannot read the file. It may be a folder, or it has changed: choose it again.',
    };
  }
}

/** The earlier one first. */
function inOrder(reports: readonly Opened[]): Opened[] {
  return reports.toSorted((one, other) => startOf(one).localeCompare(startOf(other)));
}

/** When a run started, as an ISO date-time. */
export function startOf(report: Report): string {
  return report.kind === 'vary' ? report.report.startedAt : report.report.run.startedAt;
}

function notComparable([first, second]: readonly Opened[]) {
  return {
    name: second?.name ?? '',
    refusal: `This is a ${second?.kind} report, and ${first?.name} is a ${first?.kind} report. Compare two of the same kind, or close ${first?.name} first.`,
  };
}

export function swap(): void {
  opened.value = opened.value.toReversed();
}

/** Closes one report; the other one stays. */
export function close(report: Opened): void {
  opened.value = opened.value.filter((one) => one !== report);
  refused.value = [];
}
