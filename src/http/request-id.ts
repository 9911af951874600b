/** Takes over the id that a client sent, or counts on. Counted, not drawn: two runs name their requests alike. */
export function createRequestIds(): (sent: unknown) => string {
  let count = 0;
  return (sent) => (typeof sent === 'string' && /^[\w.:/+=-]{1,128}$/.test(sent) ? sent : `req-${++count}`);
}
