import type { Session } from './session.ts';
import { SuiteError } from './suite-error.ts';
import { validKey } from './target/credentials.ts';
import { whatCame } from './target/expectations.ts';
import type { Reply } from './target/reply.ts';

const attempts = 3;
const notAnAnswer = [0, 401, 403, 429, 502, 503, 504];

/** What the two readings that need nothing answered, with the key in either header. */
export interface Reached {
  byHeader: Reply[];
  byBearer: Reply[];
}

/**
 * Tries to reach the target, up to three times: `GET /agents` and `GET /drives`, with the key in either header. Chooses the
 * header for the rest of the run. Throws a {@link SuiteError} when no answer comes that the service itself could give.
 */
export async function reach(session: Session): Promise<Reached> {
  let reached: Reached | undefined;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    reached = await tryAll(session);
    if (isReached(reached)) return reached;
    await new Promise((resolve) => setTimeout(resolve, 100 * attempt));
  }
  throw new SuiteError('TARGET_UNREACHABLE', complaint(session, reached as Reached));
}

async function tryAll(session: Session): Promise<Reached> {
  const [byHeader, byBearer] = await Promise.all(
    (['header', 'bearer'] as const).map((carrier) => {
      const credentials = validKey(session.settings.apiKey, carrier);
      return Promise.all(
        (['listAgents', 'listDrives'] as const).map((operation) => session.ask(operation, { credentials })),
      );
    }),
  );
  const reached = { byHeader: byHeader ?? [], byBearer: byBearer ?? [] };
  const worksByHeader = reached.byHeader.some(({ isSuccess }) => isSuccess);
  session.carrier = worksByHeader || !reached.byBearer.some(({ isSuccess }) => isSuccess) ? 'header' : 'bearer';
  return reached;
}

function isReached({ byHeader, byBearer }: Reached): boolean {
  return [...byHeader, ...byBearer].some(({ status }) => !notAnAnswer.includes(status));
}

function complaint(session: Session, { byHeader, byBearer }: Reached): string {
  const all = [...byHeader, ...byBearer];
  const lines = all.map(
    (reply) => `  ${reply.sending.method} ${reply.exchange.request.url}  ${headerOf(reply)}: ${whatCame(reply)}`,
  );
  const isKey = all.some(({ status }) => status === 401 || status === 403);
  const hint = isKey
    ? 'Check the key (AGENT_PLATFORM_API_KEY), and that it belongs to this server.'
    : 'Check that the server runs, that the base URL ends with its version segment, and what stands between.';
  return [`${session.settings.baseUrl} does not answer as the service. ${hint}`, ...lines].join('\n');
}

function headerOf({ sending }: Reply): string {
  return 'X-API-Key' in sending.headers ? 'X-API-Key' : 'Authorization';
}
