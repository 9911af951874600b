import { joined, own, type Sentence, say } from '../../lib/sentence.ts';
import { isClientError } from '../../openapi/reading/statuses.ts';
import type { ListOperation } from '../probing/lists.ts';
import { currentClock } from '../target/clock.ts';
import { type AuthHeaderName, authHeaderIn, headerOf, validKey } from '../target/credentials.ts';
import { describeReply, isBusy, requestLine } from '../target/expectations.ts';
import type { Reply, SentRequest } from '../target/reply.ts';
import type { Session } from '../target/session.ts';
import { SuiteError } from './suite-error.ts';

/** A sign that something other than the service responds: how to detect it, show it, and what to change. */
interface Sign {
  isIn(reply: Reply): boolean;
  /** What to show beside the status. */
  show(reply: Reply): Sentence;
  advise(reply: Reply, baseUrl: URL): Sentence;
}

const redirect: Sign = {
  isIn: ({ status }) => status >= 300 && status <= 399,
  show: ({ headers: { location } }) => (location === undefined ? say`, without a Location` : say`, to ${location}`),
  advise: (reply, baseUrl) => {
    const target = redirectedBase(reply, baseUrl);
    return target === undefined
      ? own('It redirects. Use the redirect target as the base URL.')
      : say`It redirects, and redirects are not followed: use ${target} as the base URL.`;
  },
};

const page: Sign = {
  isIn: ({ isJson, text = '', headers }) =>
    !isJson && (/^(text\/html|application\/xhtml)/i.test(headers['content-type'] ?? '') || /^\s*</.test(text)),
  show: () => say`, a web page`,
  advise: () => own('It returns web pages: something else listens there. Check host, port and path of the base URL.'),
};

const nothing: Sign = {
  isIn: ({ status }) => [404, 405, 410].includes(status),
  show: () => say``,
  advise: (_, { origin, pathname }) => {
    // Who copied the URL of a request left its path.
    const base = pathname.replace(/\/(agents|drives|mcp-servers)(\/.*)?$/, '');
    const path = base.replace(/(?<!\/)\/+$/, '');
    const isThisVersion = /\/v0\.1$/.test(path);
    const other = isThisVersion ? `${origin}/v0.1` : `${origin}${path.replace(/\/v\d+(\.\d+)?$/, '')}/v0.1`;
    const ending = say`Nothing is served at this path. The base URL ends with the version segment v0.1`;
    return path === '/v0.1' && base === pathname
      ? say`${ending}, after any path before it.`
      : say`${ending}: try ${other}, for instance.`;
  },
};

const tls: Sign = {
  // Other error responses may speak of TLS for a reason of their own.
  isIn: ({ status, text = '', exchange }) =>
    [400, 426].includes(status) && exchange.request.url.startsWith('http:') && /\bhttps\b(?!:)|\bTLS\b/i.test(text),
  show: () => say``,
  advise: () => own('The port speaks TLS: try https:// instead of http://.'),
};

// A redirect and a page say more than their status.
const signs = [redirect, tls, page, nothing];

function signOf(reply: Reply): Sign | undefined {
  return reply.failure === undefined ? signs.find((sign) => sign.isIn(reply)) : undefined;
}

/** Whether something other than the service seems to respond: a redirect, a page, or nothing at this path. */
export function isForeign(reply: Reply): boolean {
  return signOf(reply) !== undefined;
}

/** The response in words, with the sign that it is not from the service. */
export function describeForeign(reply: Reply): Sentence {
  return say`${describeReply(reply)}${signOf(reply)?.show(reply) ?? say``}`;
}

/** What to change if none of these replies comes from the service. */
export function adviceFor(replies: readonly Reply[], baseUrl: string): Sentence {
  if (replies.some(({ status }) => status === 401 || status === 403)) {
    return own('Check the key (AGENT_PLATFORM_API_KEY), and that it belongs to this server.');
  }
  if (replies.some(({ failure }) => failure === 'certificate')) {
    return own('Set NODE_EXTRA_CA_CERTS to the CA file of the certificate, and check the host name.');
  }
  const foreign = replies.find(isForeign);
  if (foreign !== undefined) return signOf(foreign)?.advise(foreign, new URL(baseUrl)) ?? say``;
  if (replies.some(speaksNoTls)) return own('The port does not speak TLS: try http:// instead of https://.');
  if (replies.every(({ failure }) => failure === 'timeout'))
    return own('It does not respond in time: check that it is running, or raise --timeout.');
  if (replies.some(({ status }) => status === 429))
    return own('It is not accepting more requests for now: wait, or send fewer per second with --rate.');
  if (replies.some(({ status }) => [502, 503, 504].includes(status)))
    return own('It is not ready: wait until it is, or check the gateway or proxy in front of it.');
  if (replies.every(({ status }) => status >= 400 && status < 500))
    return own('It refuses every list request. Check the base URL, and whether it needs another header (--header).');
  if (replies.every(isUnknownHost)) return own('There is no such host: correct the base URL.');
  if (replies.every(({ failure }) => failure === 'refused')) {
    return own('Nothing is listening there: start the server, or correct the host and port of the base URL.');
  }
  return own('Check that the server is running, and that the base URL is right; it ends with v0.1.');
}

function isUnknownHost({ exchange }: Reply): boolean {
  return /ENOTFOUND|EAI_AGAIN/.test(String(exchange.failure?.message));
}

function speaksNoTls({ exchange }: Reply): boolean {
  return /EPROTO|ERR_SSL_|WRONG_VERSION/.test(String(exchange.failure?.message));
}

/** The base URL to which a request was redirected; undefined if the redirect leads elsewhere. */
function redirectedBase({ request, headers }: Reply, baseUrl: URL): string | undefined {
  const sent = baseUrl.origin + baseUrl.pathname + request.path;
  const { location = '' } = headers;
  if (!URL.canParse(location, sent)) return undefined;
  const { origin, pathname } = new URL(location, sent);
  const target = origin + pathname.replace(/(?<!\/)\/+$/, '');
  const [path = ''] = request.path.split('?');
  const isElsewhere = target.endsWith(path) && target !== baseUrl.origin + baseUrl.pathname + path;
  return isElsewhere ? target.slice(0, -path.length) : undefined;
}

const attempts = 3;

/** The replies to requests that need no data, with the key in either header. */
interface Reached {
  byHeader: Reply[];
  byBearer: Reply[];
}

/**
 * Tries to reach the target, up to three times: `GET /agents` and `GET /drives`, with the key in either header. If
 * neither response looks like the service, also tries `GET /mcp-servers`. Chooses the auth header and the heartbeat for
 * the run. Throws a {@link SuiteError} if no response can come from the service.
 */
export async function reach(session: Session): Promise<Reached> {
  for (let attempt = 1; ; attempt++) {
    const reached = await askLists(session);
    const { byHeader, byBearer } = reached;
    const isBearerOnly = !works(byHeader) && works(byBearer);
    session.learned.authHeader = isBearerOnly ? 'bearer' : 'header';
    session.learned.worksInBoth = works(byHeader) && works(byBearer);
    session.target.heartbeat = heartbeatOf(reached);
    if (session.target.heartbeat !== undefined) {
      for (const reply of [...byHeader, ...byBearer]) session.record(reply);
      return reached;
    }
    if (attempt === attempts)
      throw new SuiteError('TARGET_UNREACHABLE', describe(session, reached).shown(session.redact));
    await currentClock().sleep(100 * attempt);
  }
}

async function askLists(session: Session): Promise<Reached> {
  const usual = await askEach(session, ['listAgents', 'listDrives']);
  if (heartbeatOf(usual) !== undefined) return usual;
  const more = await askEach(session, ['listMcpServers']);
  return {
    byHeader: [...usual.byHeader, ...more.byHeader],
    byBearer: [...usual.byBearer, ...more.byBearer],
  };
}

async function askEach(session: Session, operations: readonly ListOperation[]): Promise<Reached> {
  const ask = (authHeader: AuthHeaderName) => {
    const credentials = validKey(session.settings.apiKey, authHeader);
    return Promise.all(operations.map((operation) => session.ask(operation, { credentials })));
  };
  const [byHeader, byBearer] = await Promise.all([ask('header'), ask('bearer')]);
  return { byHeader, byBearer };
}

function works(replies: readonly Reply[]): boolean {
  return replies.some((reply) => reply.isSuccess && !isForeign(reply));
}

/**
 * A successful request if there is one, otherwise one whose response can come from the service. It cannot refuse all lists:
 * no refused request would say anything then.
 */
function heartbeatOf({ byHeader, byBearer }: Reached): SentRequest | undefined {
  const all = [...byHeader, ...byBearer];
  const isAboutKey = ({ status }: Reply) => status === 401 || status === 403;
  const answered = all.filter(
    (reply) => reply.failure === undefined && !isAboutKey(reply) && !isBusy(reply) && !isForeign(reply),
  );
  const isRefused = all.every((reply) => isClientError(reply) && !isAboutKey(reply));
  return (answered.find(({ isSuccess }) => isSuccess) ?? (isRefused ? undefined : answered[0]))?.request;
}

function describe({ settings }: Session, { byHeader, byBearer }: Reached): Sentence {
  const all = [...byHeader, ...byBearer];
  const lines = all.map((reply) => {
    const header = headerOf[authHeaderIn(reply.request.headers)];
    return say`  ${requestLine(reply)}  ${own(header)}: ${describeForeign(reply)}`;
  });
  const advice = adviceFor(all, settings.baseUrl);
  // Without a connection, all lines say the same.
  const shown = all.every(({ failure }) => failure === 'refused') ? lines.slice(0, 1) : lines;
  return joined([say`${settings.baseUrl} does not serve the API. ${advice}`, ...shown], '\n');
}
