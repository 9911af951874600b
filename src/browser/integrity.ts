const sizes = ['256', '384', '512'];
const digestIn = /^sha(256|384|512)-([A-Za-z0-9+/_-]+={0,2})(\?.*)?$/;

/** Whether a body has a digest that `integrity` lists; only the strongest kind counts (Subresource Integrity). */
export async function hasIntegrity(integrity: string, response: Response): Promise<boolean> {
  const digests = integrity.split(/\s+/).flatMap((text) => {
    const [, size, digest] = digestIn.exec(text) ?? [];
    return size === undefined || digest === undefined ? [] : [{ size, digest }];
  });
  const strongest = sizes.findLast((size) => digests.some((each) => each.size === size));
  // Pages that are neither local nor served over HTTPS have no `subtle`.
  if (strongest === undefined || crypto.subtle === undefined) return true;
  const bytes = new Uint8Array(await crypto.subtle.digest(`SHA-${strongest}`, await response.clone().arrayBuffer()));
  const found = btoa(String.fromCharCode(...bytes));
  const plain = (digest: string) => digest.replaceAll('-', '+').replaceAll('_', '/');
  return digests.some(({ size, digest }) => size === strongest && plain(digest) === found);
}
