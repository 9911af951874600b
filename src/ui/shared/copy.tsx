import { useSignal } from '@preact/signals';
import { announce, warn } from './announce.tsx';
import { Button } from './button.tsx';

/** Copies a text and announces it; `more` is added to the announcement. */
async function copyText(text: string, what: string, more = ''): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    announce(`${what} copied. ${more}`.trimEnd());
    return true;
  } catch {
    warn('The browser does not allow copying here. Select the text and copy it.');
    return false;
  }
}

interface CopyProps {
  /** What is copied, in words: `curl`. */
  what: string;
  text: () => string;
  label?: string;
}

const saidMs = 1_500;

/** Copies texts; what it returns first is true for a moment after each. */
export function useCopy() {
  const isCopied = useSignal(false);
  const copy = async (...given: Parameters<typeof copyText>) => {
    isCopied.value = await copyText(...given);
    setTimeout(() => {
      isCopied.value = false;
    }, saidMs);
  };
  return [isCopied.value, copy] as const;
}

/** A button that copies a text, and says so for a moment. */
export function CopyButton({ what, text, label = `Copy ${what}` }: CopyProps) {
  const [isCopied, copy] = useCopy();
  return (
    <Button label={isCopied ? 'Copied' : label} aria-label={`Copy ${what}`} onClick={() => void copy(text(), what)} />
  );
}

export function download(name: string, text: string, type = 'application/json'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // The browser has read the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
