import type { Source } from './opened.ts';

interface Listeners {
  onFiles(files: readonly Source[]): void;
  /** Whether files are being dragged over the page. */
  onOver(isOver: boolean): void;
}

/** Accepts files dropped anywhere on the page, and pasted files or texts, until the returned function is called. */
export function listenForFiles({ onFiles, onOver }: Listeners): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
  const over = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    onOver(true);
  };
  const drop = (event: DragEvent) => {
    onOver(false);
    if (!hasFiles(event)) return;
    event.preventDefault();
    onFiles([...(event.dataTransfer?.files ?? [])]);
  };
  const paste = (event: ClipboardEvent) => {
    const given = sourcesIn(event);
    if (given.length === 0) return;
    event.preventDefault();
    onFiles(given);
  };
  addEventListener('dragover', over, { signal });
  addEventListener('dragleave', ({ relatedTarget }) => relatedTarget === null && onOver(false), { signal });
  addEventListener('drop', drop, { signal });
  addEventListener('paste', paste, { signal });
  return () => stop.abort();
}

/** What was pasted. Text pasted into a different field stays there. */
function sourcesIn({ clipboardData, target }: ClipboardEvent): readonly Source[] {
  const files = [...(clipboardData?.files ?? [])];
  const text = clipboardData?.getData('text/plain') ?? '';
  const isField = target instanceof Element && target.closest('input:not(.paste), textarea') !== null;
  return files.length > 0 ? files : isField || text === '' ? [] : [pasted(text)];
}

/** A text as if it came from a file. */
export function pasted(text: string): Source {
  return { name: 'The pasted text', size: text.length, text: async () => text };
}
