/** Path and query of a request target, without the origin that a client puts before them when it uses a proxy. */
export function originForm(target: string): string {
  const form = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');
  return form.startsWith('?') || form === '' ? `/${form}` : form;
}

/** The path of a request target, decoded, without its query: `/drives` for `http://a/%64rives?limit=1`. */
export function pathOf(target: string): string {
  return decodePath(originForm(target).split('?', 1)[0] as string);
}

/** A path in which characters that were encoded without need are decoded (RFC 3986, section 6.2.2.2). */
export function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Whether the path of a request target is percent-encoded UTF-8. */
export function isEncoded(target: string): boolean {
  const [path = ''] = target.split('?', 1);
  try {
    // The value is used, lest the bundler takes the call away.
    return decodeURI(path) !== undefined;
  } catch {
    return false;
  }
}
