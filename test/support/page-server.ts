import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A file of a site: its content, and the headers sent with it. */
export interface SiteFile {
  text: string;
  headers: Record<string, string>;
}

/** Serves a site of a few files on this machine; other paths return 404. */
export async function serveSite(files: Readonly<Record<string, SiteFile>>): Promise<{ url: string; close(): void }> {
  const server = createServer(({ url = '/' }, response) => {
    const file = Object.hasOwn(files, url) ? files[url] : undefined;
    response.writeHead(file === undefined ? 404 : 200, file?.headers).end(file?.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/`, close };
}

export const script = (text: string): SiteFile => ({
  text,
  headers: { 'content-type': 'text/javascript; charset=utf-8' },
});
export const page = (text: string, headers: Record<string, string> = {}): SiteFile => ({
  text,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
});
