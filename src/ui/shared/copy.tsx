import { announce } from './announce.tsx';

/** Copies a text and announces it; `more` is added to the announcement. */
export async function copyText(text: string, what: string, more = ''): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announce(`${what} copied. ${more}`.trimEnd());
  } catch {
    announce('The browser does not allow copying here. Select the text and copy it.');
  }
}

interface CopyProps {
  /** What is copied, in words: `curl`. */
  what: string;
  text: () => string;
}

/** A button that copies a text. */
export function CopyButton({ what, text }: CopyProps) {
  return (
    <button type="button" onClick={() => copyText(text(), what)}>
      Copy {what}
    </button>
  );
}

/** Saves a text as a file. */
export function download(name: string, text: string, type = 'application/json'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // The browser has read the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
