/** The parts of HAR 1.2 that every writer needs. Unknown values are written as HAR requires. */

/** A name with a value, as HAR lists headers and parameters. */
interface Pair {
  name: string;
  value: string;
}

type Headers = Readonly<Record<string, string>>;

const httpVersion = 'HTTP/1.1';
const unknownSize = -1;

interface SentMessage {
  method: string;
  /** A whole URL. */
  url: string;
  headers: Headers;
  body?: string | undefined;
}

/** The member `request` of an entry. */
export function toHarRequest({ method, url, headers, body }: SentMessage): object {
  const parameters = URL.canParse(url) ? new URL(url).searchParams : [];
  const queryString = Array.from(parameters, ([name, value]) => ({ name, value }));
  return {
    ...{ method, url, httpVersion, cookies: [], headers: toPairs(headers), queryString },
    ...(body === undefined ? {} : { postData: { mimeType: contentTypeOf(headers), params: [], text: body } }),
    ...{ headersSize: unknownSize, bodySize: body === undefined ? 0 : sizeOf(body) },
  };
}

interface ReceivedMessage {
  /** 0 if there was no response: HAR has no entries without a response, and browsers write 0. */
  status: number;
  headers: Headers;
  body: string;
}

/** The member `response` of an entry. */
export function toHarResponse({ status, headers, body }: ReceivedMessage, statusText: string): object {
  return {
    ...{ status, statusText, httpVersion, cookies: [], headers: toPairs(headers) },
    content: { size: sizeOf(body), mimeType: contentTypeOf(headers), text: body },
    ...{ redirectURL: headerIn(headers, 'location') ?? '', headersSize: unknownSize, bodySize: unknownSize },
  };
}

/** The members `time`, `cache` and `timings` of an entry whose total time alone was measured, in milliseconds. */
export function harTimes(durationMs: number) {
  return { time: durationMs, cache: {}, timings: { send: 0, wait: durationMs, receive: 0 } };
}

function sizeOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function toPairs(values: Headers): Pair[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

function contentTypeOf(headers: Headers): string {
  return headerIn(headers, 'content-type') ?? '';
}

function headerIn(headers: Headers, wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
}
