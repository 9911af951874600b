/** The URL of the page at `path`, which a browser on this machine can open. `baseUrl`: where the server listens. */
export function pageAddress(baseUrl: string, path: string): string {
  const page = new URL(path, baseUrl);
  // With --host 0.0.0.0 or ::, it listens on every address.
  page.hostname = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }[page.hostname] ?? page.hostname;
  return page.href;
}
