/** The reason as a code. */
type NoToolsCode =
  | 'NOT_HTTP'
  | 'HOST_NOT_ALLOWED'
  | 'ADDRESS_NOT_ALLOWED'
  | 'REDIRECTED'
  | 'UNREACHABLE'
  | 'TOO_SLOW'
  | 'TOO_LARGE'
  | 'TOO_MANY'
  | 'ENDLESS'
  | 'FAILED'
  | 'UNUSABLE'
  | 'CLOSED';

/** Why the tools of an MCP server cannot be listed, and what to do; nothing in the message is the server's own text. */
export class NoTools extends Error {
  readonly code: NoToolsCode;

  constructor(code: NoToolsCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NoTools';
    this.code = code;
  }
}

/** The problem as a response shows it, with the URL without secrets. */
export function describeProblem(url: string, { message }: NoTools): string {
  return `The tools of the MCP server at ${withoutSecrets(url)} cannot be listed: ${message}`;
}

/** A URL without user, password, query and fragment. A text that is not a URL is cut. */
export function withoutSecrets(text: string): string {
  if (!URL.canParse(text)) return JSON.stringify(text.slice(0, 60));
  const url = new URL(text);
  for (const part of ['username', 'password', 'search', 'hash'] as const) url[part] = '';
  return url.href;
}
