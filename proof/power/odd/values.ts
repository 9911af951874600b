import type { Engine, WireFault } from '../mutant.ts';
import { changeAnswer, isSuccess, on, operationIdOf, withBody, withHeader } from '../mutants/wire-faults.ts';
import type { Oddity } from './oddity.ts';

type Fields = Record<string, unknown>;

/** Changes every JSON object of every success, the inner ones first. */
function inObjects(change: (fields: Fields, count: number) => Fields): WireFault {
  let count = 0;
  return changeAnswer(isSuccess, (answer) => {
    if (answer.body === '') return answer;
    const isObject = (value: unknown): value is Fields =>
      typeof value === 'object' && value !== null && !Array.isArray(value);
    const revive = (_: string, value: unknown) => (isObject(value) ? change(value, ++count) : value);
    return withBody(answer, JSON.stringify(JSON.parse(answer.body, revive)));
  });
}

/** Changes the timestamps of the answers of some operations. */
function timestamps(change: (name: string, value: string) => string, isMeant = (_: string) => true): WireFault {
  const revive = (name: string, value: unknown) => (name.endsWith('At') ? change(name, String(value)) : value);
  return changeAnswer(
    (status, request) => isSuccess(status) && isMeant(operationIdOf(request) ?? ''),
    (answer) => (answer.body === '' ? answer : withBody(answer, JSON.stringify(JSON.parse(answer.body, revive)))),
  );
}

const isList = (operation: string) => operation.startsWith('list');
const inSeconds = (value: string) => value.replace(/\.\d+/, '');

/** A link in the metadata that is good for a moment: another one with each reading. */
const signedLinks: WireFault = inObjects((fields, count) =>
  'kind' in fields ? { ...fields, metadata: { link: `https://files.example.com/x?signature=${count}` } } : fields,
);

/** The type of a new server is known once it was looked at. */
const typeIsFoundOut: WireFault = on(
  'createMcpServer',
  changeAnswer(isSuccess, (answer) => withBody(answer, answer.body.replace('"streamableHttp"', '"sse"'))),
);

/** The list shows URLs as a parser writes them. */
const listIsCanonical: WireFault = on(
  'listMcpServers',
  changeAnswer(isSuccess, (answer) =>
    withBody(answer, answer.body.replaceAll('https://mcp.example.com/', 'https://mcp.example.com:443/')),
  ),
);

function skewed(engine: Engine): void {
  const { clock } = engine.runtime;
  const nowMs = clock.nowMs.bind(clock);
  Object.assign(engine.runtime, { clock: { ...clock, nowMs: () => nowMs() - 4 * 60_000 } });
}

/** What objects hold. */
export const values: Record<string, Oddity> = {
  'further-fields-change-with-every-reading': {
    why: 'Section 2: the tables do not say that they are closed.',
    wire: () =>
      inObjects((fields, count) => ({ ...fields, requestId: `r-${count}`, servedAt: new Date().toISOString() })),
  },
  'metadata-changes-with-every-reading': {
    why: 'Section 2: the inner shape of metadata is not stated.',
    wire: () => signedLinks,
  },
  'creations-answered-to-the-microsecond-and-listed-to-the-second': {
    why: 'Section 2: date-times; how precise they are is not shown.',
    wire: () => timestamps((_, value) => inSeconds(value), isList),
  },
  'updated-at-in-whole-seconds': {
    why: 'Section 2: date-times; how precise each of them is is not shown.',
    wire: () => timestamps((name, value) => (name === 'updatedAt' ? inSeconds(value) : value)),
  },
  'another-spelling-of-utc-in-lists': {
    why: 'Section 2: date-times in UTC; both spellings are.',
    wire: () => timestamps((_, value) => value.replace(/Z$/, '+00:00'), isList),
  },
  'type-of-a-new-server-is-found-out-later': {
    why: 'Section 2: how and when a server decides between the two types is not shown; that it then stays is a should.',
    mayWarn: ['listMcpServers.created-server-is-the-same'],
    wire: () => typeIsFoundOut,
  },
  'urls-are-listed-with-their-port': {
    why: 'Section 2: url is the URL of the server; how it is spelt is not shown.',
    wire: () => listIsCanonical,
  },
  'names-are-composed': {
    why: 'Section 2: what is kept of a name or a path beyond plain letters is not shown.',
    mayWarn: ['updateDriveFile.path-kept.decomposed-letters'],
    wire: () => changeAnswer(isSuccess, (answer) => withBody(answer, answer.body.normalize('NFC'))),
  },
  'clock-is-four-minutes-late': {
    why: 'Section 2: createdAt is the creation time, by whatever clock the server has.',
    break: skewed,
    wire: () => changeAnswer(isSuccess, (answer) => withHeader(answer, 'date', new Date().toUTCString())),
  },
};
