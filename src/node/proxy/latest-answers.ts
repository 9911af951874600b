import type { AnswerView } from '../../../openapi/reading/messages.ts';
import type { AnswerHead } from './headers.ts';
import type { RequestHead } from './request-head.ts';

/** A response that was read whole. */
export interface ReadAnswer {
  view: AnswerView;
  /** The beginning of its text, for the request log. */
  text: string | undefined;
}

interface KnownAnswer extends ReadAnswer {
  bytes: Buffer;
  tellingText: string;
}

const longestBytes = 32_768;

/** The latest response for each request head: servers often repeat the same response to the same request. */
export class LatestAnswers {
  readonly #answers = new WeakMap<RequestHead, KnownAnswer>();

  /** The latest response, if it was the same as this one. */
  find(request: RequestHead, status: number, { tellingText }: AnswerHead, bytes: Buffer): ReadAnswer | undefined {
    const latest = this.#answers.get(request);
    const isSame = latest?.view.status === status && latest.tellingText === tellingText && latest.bytes.equals(bytes);
    return isSame ? latest : undefined;
  }

  /** Keeps a response, unless it is large. */
  keep(request: RequestHead, { tellingText }: AnswerHead, bytes: Buffer, answer: ReadAnswer): void {
    if (bytes.length <= longestBytes) this.#answers.set(request, { bytes, tellingText, ...answer });
  }
}
