/**
 * Whether a path keeps both halves of the rule (section 4.6): it starts with a slash, and no segment is `..`. The text
 * does not mention line breaks.
 */
export function keepsPathRule(path: string): boolean {
  return path.startsWith('/') && !path.split('/').includes('..');
}

/** The path without empty segments, `.` segments and a trailing slash. */
export function normalizePath(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  return `/${segments.join('/')}`;
}
