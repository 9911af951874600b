export interface CurlRequest {
  method: string;
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  body?: string | undefined;
}

/** How a command line is written. */
interface CurlStyle {
  /** A text as one shell word. */
  word(text: string): string;
  /** A header as one word, if it is written differently from the others. */
  header?(name: string, value: string): string | undefined;
  /** Options before all others. */
  options?: readonly string[];
  /** The separator between the parts of the command: a blank, or a line continuation. */
  separator: string;
}

/** A curl command that sends a request unchanged. */
export function toCurlCommand(request: CurlRequest, style: CurlStyle): string {
  const { method, url, headers, body } = request;
  const { word, options = [] } = style;
  // With a body, curl would turn GET into POST.
  const isPlain = method === 'GET' && body === undefined;
  return [
    ['curl', ...options, ...urlOptions(url), ...(isPlain ? [] : ['-X', method]), word(url)].join(' '),
    ...headers.map((header) => `-H ${headerWord(header, style)}`),
    ...(isUntyped(request) ? [`-H ${word('Content-Type:')}`] : []),
    ...(body === undefined ? [] : [`--data-raw ${word(body)}`]),
  ].join(style.separator);
}

// Without them, curl reads brackets as a range and removes dot segments from the path.
function urlOptions(url: string): string[] {
  const hasDots = /\/(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(url);
  return [...(/[[\]{}]/.test(url) ? ['-g'] : []), ...(hasDots ? ['--path-as-is'] : [])];
}

// Curl declares a body as a form unless a header names a different type, or removes the type as here.
function isUntyped({ headers, body }: CurlRequest): boolean {
  return body !== undefined && headers.every(([name]) => name.toLowerCase() !== 'content-type');
}

function headerWord([name, value]: CurlRequest['headers'][number], { word, header }: CurlStyle): string {
  // Curl omits a header written as `name:`.
  return header?.(name, value) ?? word(value.trim() === '' ? `${name};` : `${name}: ${value}`);
}
