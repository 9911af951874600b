import { BodyView } from './body-view.tsx';
import { Facts } from './parts.tsx';
import { plural } from './words.ts';

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
  /** Whether the headers are unfolded. */
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

/** Headers below a summary, folded or not; alone if `isOpen` is not given. */
export function Headers({ headers, isOpen }: Pick<Message, 'headers'> & { isOpen?: boolean }) {
  const all = Object.entries(headers);
  if (all.length === 0) return <p class="muted">No headers.</p>;
  const facts = <Facts facts={all.map(([name, value]) => [name, <code key={name}>{value}</code>])} />;
  if (isOpen === undefined) return facts;
  return (
    <details class="headers" open={isOpen}>
      <summary>{plural(all.length, 'header')}</summary>
      {facts}
    </details>
  );
}
