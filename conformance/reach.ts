import { joined, own, type Sentence, say } from '../lib/sentence.ts';
import { adviceFor, describeForeign, isForeign } from './foreign-answers.ts';
import type { ListOperation } from './probing/lists.ts';
import type { Session } from './session.ts';
import { SuiteError } from './suite-error.ts';
import { currentClock } from './target/clock.ts';
import { type AuthHeaderName, authHeaderIn, headerOf, validKey } from './target/credentials.ts';
import { isBusy, requestLine } from './target/expectations.ts';
import type { Reply, SentRequest } from './target/reply.ts';

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

/** A successful request if there is one, otherwise one whose response can come from the service. */
function heartbeatOf({ byHeader, byBearer }: Reached): SentRequest | undefined {
  const answered = [...byHeader, ...byBearer].filter(
    (reply) => reply.failure === undefined && ![401, 403].includes(reply.status) && !isBusy(reply) && !isForeign(reply),
  );
  return (answered.find(({ isSuccess }) => isSuccess) ?? answered[0])?.request;
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
