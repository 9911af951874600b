import type { IncomingMessage } from 'node:http';

/** A header as it stood on the wire. */
export type HeaderPair = [name: string, value: string];

/** The headers of a message as they came: order, case and repetitions are kept. */
export function pairsOf(raw: readonly string[]): HeaderPair[] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[index * 2] ?? '', raw[index * 2 + 1] ?? '']);
}

/** The headers by name in lower case; several of one name are joined. */
export function toRecord(pairs: readonly HeaderPair[]): Record<string, string> {
  const byName = Map.groupBy(pairs, ([name]) => name.toLowerCase());
  return Object.fromEntries([...byName].map(([name, all]) => [name, all.map(([, value]) => value).join(', ')]));
}

// About one connection only (RFC 9110, section 7.6.1). What `Connection` names is so, too.
const hopByHop = ['connection', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade'];

/** The headers that go on to the other side. */
export function endToEnd(pairs: readonly HeaderPair[]): HeaderPair[] {
  const named = pairs.filter(([name]) => name.toLowerCase() === 'connection').flatMap(([, value]) => value.split(','));
  const dropped = new Set([...hopByHop, ...named.map((name) => name.trim().toLowerCase())]);
  return pairs.filter(([name]) => !dropped.has(name.toLowerCase()));
}

/** What a proxy says of itself in `Via` (RFC 9110, section 7.6.3). */
export interface Identity {
  /** The authority of the upstream: `agents.example.com:8443`. */
  host: string;
  /** Nobody else's, so that a loop is noticed. */
  pseudonym: string;
}

const bodiless = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'];

/** The headers with which a request goes to the upstream, for Node to send as they are. */
export function toUpstreamHeaders(
  { rawHeaders, httpVersion, method = 'GET' }: IncomingMessage,
  to: Identity,
): string[] {
  const pairs = pairsOf(rawHeaders);
  const sent = toRecord(pairs);
  // The proxy itself says 100: it takes the body in before it sends it on.
  const isOwn = (name: string) => name === 'host' || (name === 'expect' && isContinue(sent.expect));
  const kept = endToEnd(pairs).filter(([name]) => !isOwn(name.toLowerCase()));
  const framing = framingOf(sent, method);
  return [['Host', to.host], ...kept, ['Via', `${httpVersion} ${to.pseudonym}`], ...framing].flat();
}

function isContinue(expect: string | undefined): boolean {
  return expect?.toLowerCase() === '100-continue';
}

// A length goes on as it came. Left to itself, Node would announce chunks where there is no body.
function framingOf(sent: Readonly<Record<string, string>>, method: string): HeaderPair[] {
  if (sent['transfer-encoding'] !== undefined) return [['Transfer-Encoding', 'chunked']];
  return sent['content-length'] === undefined && !bodiless.includes(method) ? [['Content-Length', '0']] : [];
}

/** Whether a request was through this proxy before. */
export function isLoop({ headers }: IncomingMessage, { pseudonym }: Identity): boolean {
  return headers.via?.includes(pseudonym) === true;
}
