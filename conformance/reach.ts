import { joined, own, type Sentence, say } from '../openapi/reading/sentence.ts';
import type { Session } from './session.ts';
import { SuiteError } from './suite-error.ts';
import { type CarrierName, carrierIn, headerOf, validKey } from './target/credentials.ts';
import { describeReply, isBusy, requestLine } from './target/expectations.ts';
import type { Reply, SentRequest } from './target/reply.ts';

const attempts = 3;

/** The replies to the two requests that need no data, with the key in either header. */
interface Reached {
  byHeader: Reply[];
  byBearer: Reply[];
}

/**
 * Tries to reach the target, up to three times: `GET /agents` and `GET /drives`, with the key in either header. Chooses the
 * carrier and the heartbeat for the run. Throws a {@link SuiteError} if no answer can come from the service.
 */
export async function reach(session: Session): Promise<Reached> {
  for (let attempt = 1; ; attempt++) {
    const [byHeader, byBearer] = await Promise.all([tryCarrier(session, 'header'), tryCarrier(session, 'bearer')]);
    const reached = { byHeader, byBearer };
    const isBearerOnly = !works(byHeader) && works(byBearer);
    session.learned.carrier = isBearerOnly ? 'bearer' : 'header';
    session.target.heartbeat = heartbeatOf(reached);
    if (session.target.heartbeat !== undefined) return reached;
    if (attempt === attempts)
      throw new SuiteError('TARGET_UNREACHABLE', describe(session, reached).shown(session.redact));
    await new Promise((resolve) => setTimeout(resolve, 100 * attempt));
  }
}

function tryCarrier(session: Session, carrier: CarrierName): Promise<Reply[]> {
  const credentials = validKey(session.settings.apiKey, carrier);
  return Promise.all(
    (['listAgents', 'listDrives'] as const).map((operation) => session.ask(operation, { credentials })),
  );
}

function works(replies: readonly Reply[]): boolean {
  return replies.some(({ isSuccess }) => isSuccess);
}

/** A request that succeeded, if there is one; else one whose answer can come from the service. */
function heartbeatOf({ byHeader, byBearer }: Reached): SentRequest | undefined {
  const answered = [...byHeader, ...byBearer].filter(
    (reply) => reply.failure === undefined && ![401, 403].includes(reply.status) && !isBusy(reply),
  );
  return (answered.find(({ isSuccess }) => isSuccess) ?? answered[0])?.request;
}

function describe(session: Session, { byHeader, byBearer }: Reached): Sentence {
  const all = [...byHeader, ...byBearer];
  const lines = all.map((reply) => {
    const header = headerOf[carrierIn(reply.request.headers)];
    return say`  ${requestLine(reply)}  ${own(header)}: ${describeReply(reply)}`;
  });
  const isAboutTheKey = all.some(({ status }) => status === 401 || status === 403);
  const hint = isAboutTheKey
    ? 'Check the key (AGENT_PLATFORM_API_KEY), and that it belongs to this server.'
    : 'Check that the server runs, that the base URL ends with its version segment, and any gateway in between.';
  return joined([say`${session.settings.baseUrl} does not serve the API. ${own(hint)}`, ...lines], '\n');
}
