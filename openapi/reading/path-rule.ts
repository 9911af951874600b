/**
 * Whether a path keeps both halves of the rule (section 4.6): it starts with a slash, and no segment is `..`. The text
 * is silent about line breaks.
 */
export function keepsPathRule(path: string): boolean {
  return path.startsWith('/') && !path.split('/').includes('..');
}
