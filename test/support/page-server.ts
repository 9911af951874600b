import { startUpstream } from './upstream.ts';

/** A file of a site: its content, and the headers sent with it. */
interface SiteFile {
  text: string;
  headers: Record<string, string>;
}

/** Serves a site of a few files on this machine; other paths return 404. */
export async function serveSite(files: Readonly<Record<string, SiteFile>>): Promise<{ url: string; close(): void }> {
  const { origin, close } = await startUpstream(({ url = '/' }, response) => {
    const file = Object.hasOwn(files, url) ? files[url] : undefined;
    response.writeHead(file === undefined ? 404 : 200, file?.headers).end(file?.text);
  });
  return { url: `${origin}/`, close };
}

export const script = (text: string): SiteFile => ({
  text,
  headers: { 'content-type': 'text/javascript; charset=utf-8' },
});
export const page = (text: string, headers: Record<string, string> = {}): SiteFile => ({
  text,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
});
