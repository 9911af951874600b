import { decodeQuery } from '../../lib/query.ts';
import { joined, own, say } from '../../lib/sentence.ts';
import type { Operation } from '../../openapi/contract/operations.ts';
import type { OpenPointId } from '../../openapi/contract/profile.ts';
import type { Seen } from '../../openapi/reading/learned.ts';
import { type AnswerView, parseBody, type RequestView } from '../../openapi/reading/messages.ts';
import { Reading } from '../../openapi/reading/reading.ts';
import type { Session } from '../session.ts';
import type { Reply } from '../target/reply.ts';

/** The reading of all replies of a run, which the proxy would do the same way. */
export class SessionReading {
  readonly #session: Session;
  readonly #reading = new Reading();
  #done = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  /** The choice that the replies so far show, or a sample of something else; undefined if they do not tell. */
  seen(openPoint: OpenPointId): Seen | undefined {
    this.#catchUp();
    const conclusion = this.#reading.conclusion(openPoint);
    if (conclusion === undefined || 'choice' in conclusion) return conclusion?.choice;
    const isOne = conclusion.unclear.length === 1;
    const found = conclusion.unclear.map(({ sighting, first }) => {
      const what = typeof sighting === 'object' ? sighting.other : String(sighting);
      return own(isOne ? what : `${what} (${first})`);
    });
    return { other: joined(found) };
  }

  #catchUp(): void {
    const { replies, operations, redact } = this.#session;
    for (const reply of replies.slice(this.#done)) {
      const operation = operations.get(reply.request.operation);
      if (operation === undefined || reply.failure !== undefined) continue;
      const { method, path } = reply.request;
      this.#reading.add(toRequestView(operation, reply), toAnswerView(reply), `${method} ${redact(path)}`, redact);
    }
    this.#done = replies.length;
  }
}

function toRequestView(operation: Operation, { request }: Reply): RequestView {
  const [path = '', query = ''] = request.path.split(/\?(.*)/s, 2);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const body = parseBody(Buffer.from(request.body ?? ''));
  return { operation, path, query: decodeQuery(query), headers, body };
}

function toAnswerView({ status, headers, hasBody, isJson, json, text }: Reply): AnswerView {
  const lengthBytes = text?.length ?? 0;
  if (!hasBody) return { status, headers, body: { kind: 'none' } };
  if (isJson) return { status, headers, body: { kind: 'json', value: json, lengthBytes } };
  return {
    status,
    headers,
    body: { kind: 'text', why: text === undefined ? say`not UTF-8` : say`${text}`, lengthBytes },
  };
}
