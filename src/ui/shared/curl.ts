/** A request as it is copied. */
export interface CopiedRequest {
  method: string;
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  body?: string | undefined;
}

/** A curl command for POSIX shells. A secret that is not known any more is the variable `API_KEY`. */
export function toCurl({ method, url, headers, body }: CopiedRequest): string {
  const isPlain = method === 'GET' && body === undefined;
  return [
    `curl ${isPlain ? '' : `-X ${method} `}${inQuotes(url)}`,
    ...headers.map(([name, value]) => `-H ${isRedacted(value) ? secretHeader(name) : inQuotes(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${inQuotes(body)}`]),
  ].join(' \\\n  ');
}

function isRedacted(value: string): boolean {
  return value.includes('[REDACTED]');
}

function secretHeader(name: string): string {
  return name.toLowerCase() === 'authorization' ? '"Authorization: Bearer $API_KEY"' : `"${name}: $API_KEY"`;
}

/** A text as one word of a POSIX shell. */
export function inQuotes(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const ofTheConnection =
  /^(?:host|connection|content-length|accept-encoding|accept-language|user-agent|referer|origin|cookie|dnt|pragma|cache-control|priority|sec-.*)$/i;

/** The headers of a received request that somebody chose. */
export function chosenHeaders(headers: Readonly<Record<string, string>>): CopiedRequest['headers'] {
  return Object.entries(headers).filter(
    ([name, value]) => !ofTheConnection.test(name) && !(name === 'accept' && value === '*/*'),
  );
}
