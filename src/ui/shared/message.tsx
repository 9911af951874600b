import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Button } from './button.tsx';
import { CopyButton, download } from './copy.tsx';
import { bound, Check } from './form.tsx';
import { indentedPieces } from './json.ts';
import { Facts, Pre } from './parts.tsx';
import { number, plural, sizeWords } from './words.ts';

/** A request or a response, of Try, Traffic or a report. */
export interface Message {
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
}

interface MessageProps extends Message {
  title: string;
  /** What is missing from the body, as a sentence. */
  missing?: string | undefined;
  name: string;
  areHeadersOpen?: boolean;
}

/** The body of a message, then its headers, folded. */
export function MessageView({ title, headers, body = '', missing, name, areHeadersOpen = false }: MessageProps) {
  return (
    <section class="message" aria-label={title}>
      <h4>{title}</h4>
      {missing && <p class="muted">{missing}</p>}
      {body === '' ? !missing && <p class="muted">No body.</p> : <BodyView text={body} name={name} />}
      <Headers headers={headers} isOpen={areHeadersOpen} />
    </section>
  );
}

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
      {isLarge && <p class="muted">Only the first {number(shownPart)} characters are shown.</p>}
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

/** Headers below a summary, folded or not; alone if `isOpen` is not given. */
export function Headers({ headers, isOpen }: Pick<Message, 'headers'> & { isOpen?: boolean }) {
  const all = Object.entries(headers);
  if (all.length === 0) return <p class="muted">No headers.</p>;
  const facts = <Facts of={Object.fromEntries(all.map(([name, value]) => [name, <code key={name}>{value}</code>]))} />;
  if (isOpen === undefined) return facts;
  return (
    <details class="headers" open={isOpen}>
      <summary>{plural(all.length, 'header')}</summary>
      {facts}
    </details>
  );
}
