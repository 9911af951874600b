/** Path and query of a request target, without the origin that clients of a proxy put before them. */
export function originForm(target: string): string {
  const form = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');
  return form.startsWith('?') || form === '' ? `/${form}` : form;
}

/** The path of a request target, decoded, without its query: `/drives` for `http://a/%64rives?limit=1`. */
export function pathOf(target: string): string {
  return decodePath(originForm(target).split('?', 1)[0] as string);
}

/** A path with unnecessarily encoded characters decoded (RFC 3986, section 6.2.2.2). */
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
    // The value is used, so that the bundler does not remove the call.
    return decodeURI(path) !== undefined;
  } catch {
    return false;
  }
}
