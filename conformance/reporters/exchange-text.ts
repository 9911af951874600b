import { STATUS_CODES } from 'node:http';
import { cut, cutAgain, duration, visible } from '../../lib/text.ts';
import { keyHeaders } from '../../openapi/contract/security.ts';
import type { Exchange } from '../target/exchange.ts';

const shownBody = 300;
const shownLine = 500;
const shownUrl = 2000;

// Headers that help to understand an exchange or to find it in a server's log.
const tellingHeaders =
  /^(allow|location|retry-after|via|www-authenticate|content-(type|length|encoding)|transfer-encoding|access-control-.*|x-request-id|x-correlation-id|traceparent)$/i;

/** Method and URL. */
export function requestLine({ method, url }: Exchange['request'], limit = shownUrl): string {
  return `${method} ${cut(url, limit)}`;
}

/** A status code with its reason phrase. */
export function statusLine(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim();
}

/** Why there was no response. */
export function failureLine(failure: NonNullable<Exchange['failure']>): string {
  return `no response (${failure.kind}): ${failure.message}`;
}

/** A compact form of an exchange, marked as in curl: `>` sent, `<` received, `!` an error. */
export function exchangeLines({ request, response, failure, durationMs }: Exchange): string[] {
  const sent = [requestLine(request), ...headerLines(request.headers), ...bodyLines(request.body)];
  const came =
    response === undefined
      ? []
      : [
          `${statusLine(response.status)} (${duration(durationMs)})`,
          ...headerLines(response.headers),
          ...bodyLines(response.body),
        ];
  const wrong = failure === undefined ? [] : [`${failureLine(failure)} (after ${duration(durationMs)})`];
  return [...marked('>', sent), ...marked('<', came), ...marked('!', wrong)];
}

function marked(mark: string, texts: readonly string[]): string[] {
  return texts.flatMap((text) => visible(text).split('\n')).map((line) => (line === '' ? mark : `${mark} ${line}`));
}

function headerLines(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => tellingHeaders.test(name) || keyHeaders.some((one) => one.toLowerCase() === name.toLowerCase()))
    .map(([name, value]) => cut(`${name}: ${value}`, shownLine));
}

function bodyLines(body: string | undefined): string[] {
  return body === undefined || body === '' ? [] : ['', bodyText(body)];
}

/** The beginning of a body, or all of it if little would be cut. The JSON report has more of it. */
export function bodyText(body: string): string {
  return body.length <= shownBody * 1.5 ? body : cutAgain(body, shownBody);
}
