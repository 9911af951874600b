import { effect, signal } from '@preact/signals';
import { keep, readKept } from '../shared/kept.ts';
import { type Report, readReport } from './read-report.ts';

/** The report that is shown, with the name of its file. It stays in memory until the page is closed or loaded again. */
export const opened = signal<(Report & { name: string }) | undefined>(undefined);

// The name of the open file alone, for this tab: a report may hold what a server returned.
const keptPlace = 'agent-platform-report';

/** The report that was open before the page was loaded again, until one is opened; empty if there was none. */
export const before = signal(readKept(keptPlace, ''));

effect(() => keep(keptPlace, opened.value?.name ?? ''));

/** Why a file is not shown; empty if it is. */
export const refusal = signal('');

/** Bytes. Larger files are not read: the tab would run out of memory. */
const largestFile = 100_000_000;

export async function open(file: File | string): Promise<void> {
  const name = typeof file === 'string' ? 'The pasted text' : file.name;
  try {
    if (typeof file !== 'string' && file.size > largestFile)
      throw new Error('It is too large for a page. Run fewer checks at a time with --only.');
    opened.value = { name, ...readReport(typeof file === 'string' ? file : await file.text()) };
    refusal.value = before.value = '';
  } catch (error) {
    refusal.value = `${name} is not shown. ${(error as Error).message}`;
  }
}

/** Opens files dropped anywhere on the page, and pasted files or texts, until the returned function is called. */
export function listenForFiles(onOver: (isOver: boolean) => void): () => void {
  const stop = new AbortController();
  const options = { signal: stop.signal };
  const take = (event: Event, data: DataTransfer | null) => {
    const given = data?.files[0] ?? data?.getData('text/plain') ?? '';
    // Text pasted into a field stays there.
    const isField = event.target instanceof Element && event.target.closest('input:not(.paste), textarea') !== null;
    if (given === '' || (typeof given === 'string' && isField)) return;
    event.preventDefault();
    void open(given);
  };
  const isDragged = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
  const over = (event: DragEvent) => {
    if (!isDragged(event)) return;
    event.preventDefault();
    onOver(true);
  };
  const drop = (event: DragEvent) => {
    onOver(false);
    if (isDragged(event)) take(event, event.dataTransfer);
  };
  addEventListener('dragover', over, options);
  addEventListener('dragleave', ({ relatedTarget }) => relatedTarget === null && onOver(false), options);
  addEventListener('drop', drop, options);
  addEventListener('paste', (event) => take(event, event.clipboardData), options);
  return () => stop.abort();
}
