import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { CopyButton, download } from './copy.tsx';
import { indentJson } from './indent-json.ts';

/** Larger bodies are shown in part: browsers are slow to lay out more. */
const largestCharacters = 1_000_000;
const shownCharacters = 50_000;

/** A body as it was received. JSON may be indented; nothing else is changed. */
export function BodyView({ text, name }: { text: string; name: string }) {
  const isIndented = useSignal(true);
  const isLarge = text.length > largestCharacters;
  const indented = useMemo(() => (isLarge ? undefined : indentJson(text)), [text, isLarge]);
  const shown = isLarge ? text.slice(0, shownCharacters) : isIndented.value ? (indented ?? text) : text;
  return (
    <div class="body">
      <div class="row">
        {indented !== undefined && (
          <label class="check">
            <input
              type="checkbox"
              checked={isIndented.value}
              onChange={({ currentTarget }) => {
                isIndented.value = currentTarget.checked;
              }}
            />
            Indent
          </label>
        )}
        <CopyButton what="body" text={() => text} />
        <button type="button" onClick={() => download(name, text, 'text/plain')}>
          Download
        </button>
        <span class="muted">{sizeOf(text)}</span>
      </div>
      {isLarge && <p class="muted">Only the first {shownCharacters.toLocaleString('en')} characters are shown.</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <pre tabIndex={0}>{shown}</pre>
    </div>
  );
}

/** The size of a text on the wire, in words. */
export function sizeOf(text: string): string {
  const { length } = new TextEncoder().encode(text);
  if (length < 1_000) return length === 1 ? '1 byte' : `${length} bytes`;
  return length < 1_000_000 ? `${(length / 1_000).toFixed(1)} kB` : `${(length / 1_000_000).toFixed(1)} MB`;
}
