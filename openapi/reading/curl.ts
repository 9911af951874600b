/** A request as curl is to send it. */
export interface CurlRequest {
  method: string;
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  body?: string | undefined;
}

/** How a command line is written. */
export interface CurlStyle {
  /** A text as one word of the shell. */
  word(text: string): string;
  /** A header as one word, where it is not written as the others are. */
  header?(name: string, value: string): string | undefined;
  /** Options ahead of all others. */
  options?: readonly string[];
  /** What stands between the parts of the command: a blank, or what continues it on the next line. */
  separator: string;
}

/** A curl command that sends a request as it stands. */
export function toCurlCommand(request: CurlRequest, style: CurlStyle): string {
  const { method, url, headers, body } = request;
  const { word, options = [] } = style;
  // With a body curl would make a POST of a GET.
  const isPlain = method === 'GET' && body === undefined;
  return [
    ['curl', ...options, ...urlOptions(url), ...(isPlain ? [] : ['-X', method]), word(url)].join(' '),
    ...headers.map((header) => `-H ${headerWord(header, style)}`),
    ...(isUntyped(request) ? [`-H ${word('Content-Type:')}`] : []),
    ...(body === undefined ? [] : [`--data-raw ${word(body)}`]),
  ].join(style.separator);
}

/** A text as one word of a POSIX shell. */
export function inQuotes(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

// Without them curl reads brackets as a range, and takes dot segments out of the path.
function urlOptions(url: string): string[] {
  const hasDots = /\/(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(url);
  return [...(/[[\]{}]/.test(url) ? ['-g'] : []), ...(hasDots ? ['--path-as-is'] : [])];
}

// Curl calls a body a form, unless a header names another type, or is taken out as here.
function isUntyped({ headers, body }: CurlRequest): boolean {
  return body !== undefined && headers.every(([name]) => name.toLowerCase() !== 'content-type');
}

function headerWord([name, value]: CurlRequest['headers'][number], { word, header }: CurlStyle): string {
  // Curl leaves out the header that `name:` names.
  return header?.(name, value) ?? word(value.trim() === '' ? `${name};` : `${name}: ${value}`);
}
