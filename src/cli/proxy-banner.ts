import { styleText } from 'node:util';
import type { ValidatingProxy } from '../http/proxy/create-proxy.ts';
import { columns } from './help.ts';

/** By what a proxy judges, and what it does then, in words. */
export interface ProxyManner {
  judgesBy: string;
  isStrict: boolean;
}

/** What a person sees when the proxy has started: what to call, and what is judged. */
export function proxyBanner(
  { url, upstream }: ValidatingProxy,
  { judgesBy, isStrict }: ProxyManner,
  version: string,
): string {
  const { origin } = new URL(url);
  const violations = isStrict ? 'refused' : 'reported: header sl-violations, log, journal';
  return [
    `${styleText('bold', 'Agent Platform proxy')} ${version}`,
    '',
    columns([
      ['Base URL', `${styleText('cyan', url)} ${styleText('dim', 'for your client')}`],
      ['Upstream', styleText('cyan', upstream)],
      ['Judged by', judgesBy],
      ['Violations', violations],
      ['Summary', styleText('cyan', `${origin}/__admin/summary`)],
      ['Journal', styleText('cyan', `${origin}/__admin/requests`)],
    ]),
    '',
    styleText('dim', '  Keys are passed through and never logged. Ctrl+C stops it, and says what it saw.'),
    '',
    '',
  ].join('\n');
}
