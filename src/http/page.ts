/*
 * How the developer page is sent, and its security policy. How it is built: `docs/developer-page.ts`; how to add a
 * view: `src/ui/views.ts`.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { loadedOnce } from '../app/loaded-once.ts';

/** The developer page as it is sent: plain, and compressed once, on first request. */
interface Page {
  tag: string;
  policy: string;
  plain: Buffer;
  encodings: readonly { name: string; bytes(): Promise<Buffer> }[];
}

const loadPage = loadedOnce(async (): Promise<Page> => {
  const { brotliCompress, constants, gzip } = await import('node:zlib');
  // The best quality takes ten times as long and saves a twentieth.
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  const html = readFileSync(new URL('../ui/page.gen.html', import.meta.url), 'utf8');
  const plain = Buffer.from(html);
  return {
    tag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    policy: policyOf(html),
    plain,
    encodings: [
      { name: 'br', bytes: loadedOnce(() => promisify(brotliCompress)(plain, brotli)) },
      { name: 'gzip', bytes: loadedOnce(() => promisify(gzip)(plain)) },
    ],
  };
});

/**
 * Only the page's own script and style run: others on this origin would be responses of the mock, whose content users
 * control. `trusted-types 'none'` keeps text from ever becoming markup.
 */
function policyOf(html: string): string {
  return [
    "default-src 'none'",
    `script-src ${hashesOf(html, 'script')}`,
    `style-src ${hashesOf(html, 'style')}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function hashesOf(html: string, element: 'script' | 'style'): string {
  const texts = html.matchAll(new RegExp(`<${element}(?: [^>]*)?>(.*?)</${element}>`, 'gs'));
  return [...texts].map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ');
}

/** Whether a client wants a page: it names HTML, and does not prefer JSON. */
export function wantsPage(accept = ''): boolean {
  const html = qualityOf(accept, 'text/html');
  return html > 0 && html >= qualityOf(accept, 'application/json');
}

// Wildcards do not count: most programs that send */* want data.
function qualityOf(accept: string, mediaType: string): number {
  const ranges = accept.split(',').map((range) => range.split(';').map((part) => part.trim().toLowerCase()));
  const named = ranges.find(([type]) => type === mediaType);
  if (named === undefined) return 0;
  const quality = Number(named.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
  return Number.isNaN(quality) ? 0 : quality;
}

/** Sends the developer page; only its headers to clients that have it cached. */
export async function sendPage({ headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  const page = await loadPage();
  const common = { ...headersOf(page), etag: page.tag };
  if (headers['if-none-match']?.split(/, */).some((tag) => tag.replace(/^W\//, '') === page.tag)) {
    response.writeHead(304, common).end();
    return;
  }
  const accepted = new Set(acceptedEncodings(headers['accept-encoding']));
  const encoding = page.encodings.find(({ name }) => accepted.has(name));
  const body = (await encoding?.bytes()) ?? page.plain;
  const encoded = encoding === undefined ? {} : { 'content-encoding': encoding.name };
  response.writeHead(200, { ...common, ...encoded, 'content-length': body.length }).end(body);
}

function headersOf({ policy }: Page): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
    vary: 'Accept, Accept-Encoding',
  };
}

function acceptedEncodings(header: string | string[] = ''): string[] {
  return String(header)
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => !/; *q=0(?:\.0*)?$/.test(each))
    .map((each) => each.split(';', 1).join().trim());
}
