/** What `fetch` rejects with when the connection is lost. Its cause says why. */
export class LostConnection extends TypeError {
  constructor(cause: unknown) {
    super('Failed to fetch', { cause });
  }
}
