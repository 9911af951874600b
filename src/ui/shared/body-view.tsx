import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Button } from './button.tsx';
import { CopyButton, download } from './copy.tsx';
import { bound, Check } from './form.tsx';
import { indentedPieces } from './json.ts';
import { Pre } from './parts.tsx';
import { sizeWords } from './words.ts';

/** Larger bodies are shown without colours; of the largest, only a part: browsers are slow to lay out more. */
const [mostColoured, mostWhole, shownPart] = [200_000, 1_000_000, 50_000];

/** A body as it was received. JSON is indented and coloured; nothing else is changed. */
export function BodyView({ text, name }: { text: string; name: string }) {
  const isRaw = useSignal(false);
  const isLarge = text.length > mostWhole;
  const pieces = useMemo(() => (isLarge ? undefined : indentedPieces(text)), [text, isLarge]);
  return (
    <div class="body">
      <div class="row">
        <span class="muted">{sizeWords(new TextEncoder().encode(text).length)}</span>
        <CopyButton what="body" text={() => text} label="Copy" />
        <Button label="Download" aria-label="Download body" onClick={() => download(name, text, 'text/plain')} />
        {pieces !== undefined && <Check label="Raw" {...bound(isRaw)} />}
      </div>
      {isLarge && <p class="muted">Only the first {shownPart.toLocaleString('en')} characters are shown.</p>}
      {pieces === undefined || isRaw.value ? (
        <Pre text={isLarge ? text.slice(0, shownPart) : text} />
      ) : text.length > mostColoured ? (
        <Pre text={pieces.map((piece) => piece.text).join('')} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        <pre tabIndex={0}>
          {pieces.map((piece, index) =>
            piece.kind === 'plain' ? piece.text : <span key={index} class={piece.kind} children={piece.text} />,
          )}
        </pre>
      )}
    </div>
  );
}
