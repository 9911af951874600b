import type { Call, OperationId } from './call.ts';
import type { Draw } from './random-calls.ts';

/** The text of a body, and the headers that come with it. */
export interface RandomBody {
  text?: string;
  headers: Record<string, string>;
}

type Fields = Record<string, unknown>;

/** A body for an operation; nothing for one that has none. */
export function randomBody(operationId: OperationId, params: Call['params'], draw: Draw): RandomBody {
  const fields = fieldsFor[operationId]?.(draw, params);
  if (fields === undefined) return { headers: {} };
  const { random, isMeantWell } = draw;
  const text = isMeantWell || random.chance(0.65) ? JSON.stringify(fields) : spoiltText(fields, draw);
  const declared = { text: padded(text, draw), headers: { 'content-type': random.pick(jsonTypes) } };
  if (isMeantWell || random.chance(0.85)) return declared;
  return random.pick<RandomBody>([
    { headers: {} },
    { ...declared, text: '' },
    { ...declared, headers: randomType(draw) },
  ]);
}

const jsonTypes = ['application/json', 'application/json; charset=utf-8', 'Application/JSON'];
const otherTypes = ['text/plain', 'application/xml', 'application/merge-patch+json', 'application/jsonx'];

function randomType({ random }: Draw): Record<string, string> {
  return random.chance(0.3) ? {} : { 'content-type': random.pick(otherTypes) };
}

// Blanks around a JSON text mean nothing, so any length can be reached, the limit and one byte more too.
function padded(text: string, { random, picture, isMeantWell }: Draw): string {
  const limit = picture.profile.bodySizeLimit;
  const room = limit - Buffer.byteLength(text);
  if (room < 0 || !random.chance(chanceOfPadding(limit))) return text;
  return text + ' '.repeat(room + (isMeantWell ? 0 : 1));
}

// The larger the limit, the dearer a body that reaches it.
function chanceOfPadding(limit: number): number {
  if (limit <= 65_536) return 0.15;
  return limit <= 1_048_576 ? 0.03 : 0;
}

type FieldsFor = (draw: Draw, params: Call['params']) => Fields;

const fieldsFor: Partial<Record<OperationId, FieldsFor>> = {
  publishAgentRevision: (draw, params) => withFaults({ revisionId: randomRevision(draw, params) }, draw),
  createDrive: (draw) => withFaults({ name: randomName(draw) }, draw),
  updateDriveFile: (draw) => withFaults({ path: randomPath(draw) }, draw),
  createMcpServer: (draw) => withFaults({ name: randomName(draw), url: randomUrl(draw) }, draw),
};

function randomRevision({ random, organization, isMeantWell }: Draw, { agentId }: Call['params']): string {
  const agents = isMeantWell ? organization.agents.filter(({ id }) => id === agentId) : organization.agents;
  const ids = agents.flatMap(({ revisions }) => revisions.map(({ id }) => id));
  return random.pick(isMeantWell ? ids : [...ids, 'unknown', '', 'rev-beta-1']);
}

function randomName({ random, organization, isMeantWell }: Draw): string {
  const fresh = `${random.pick(words)} ${random.integer(0, 999_999)}`;
  if (isMeantWell)
    return random.chance(0.85) ? fresh : random.pick([` ${fresh} `, `${fresh} 🚀é\u0000`, `\ud800 ${fresh}`]);
  const taken = random.pick([...organization.drives, ...organization.servers]).name;
  return random.pick([fresh, taken, ` ${taken}`, taken.toUpperCase(), ...oddNames]);
}

const words = ['drive', 'server', 'Zoo', 'apple', 'Émile', 'zulu'];
const oddNames = ['', ' ', '\t\n', 'x'.repeat(255), 'x'.repeat(256), '🚀'.repeat(255), '🚀'.repeat(256), '__proto__'];

function randomUrl({ random, isMeantWell }: Draw): string {
  const good = [
    'https://mcp.example.com/a',
    'http://127.0.0.1:8080',
    'HTTPS://Example.COM/Path?q=%20#f',
    'http://[::1]/',
  ];
  const bad = [
    ...['', 'mcp.example.com', 'ftp://example.com/', '/relative', 'https://', 'https:///a', 'http://a b/'],
    ...['javascript:x'],
  ];
  return random.pick(isMeantWell ? good : [...good, ...bad]);
}

function randomPath({ random, organization, isMeantWell }: Draw): string {
  const fresh = `/${random.pick(['moved', 'docs', 'docs/deep', 'a/b', 'ä'])}/${random.integer(0, 99_999)}.txt`;
  if (isMeantWell) return random.chance(0.75) ? fresh : random.pick(oddPaths) + random.integer(0, 99_999);
  const taken = organization.drives.flatMap(({ files }) => files.map(({ path }) => path));
  return random.pick([...taken, fresh, '/', '/docs', ...oddPaths, ...badPaths]);
}

const oddPaths = [
  ...['/%2e%2e/', '/a..b/', '/..a', '/.../', '/a//b', '/./', '/a\\..\\b', '/readme.txt/', '/.', '/ ', '/🚀'],
];

// One of another type, one field too many, or one left out.
function withFaults(fields: Fields, { random, isMeantWell }: Draw): Fields {
  if (isMeantWell || random.chance(0.5)) return fields;
  const name = random.pick(Object.keys(fields));
  const { [name]: _, ...others } = fields;
  if (random.chance(0.5)) return { ...fields, [name]: random.pick(wrongTypes) };
  return random.pick([{ ...fields, colour: 'red' }, { ...fields, constructor: 1 }, others]);
}

const wrongTypes = [42, true, false, -1.5, null, [], {}, ['x']];

function spoiltText(fields: Fields, { random }: Draw): string {
  const text = JSON.stringify(fields);
  const notJson = ['{', 'undefined', "{'name':'x'}", `${text},`, text.slice(0, -1), 'NaN', ' '];
  const notObjects = ['[]', `[${text}]`, '"text"', '5', 'true', 'null'];
  const unusual = [text.replace('{', '{"__proto__":{"x":1},'), text.replace('{', '{"a":1,"a":2,'), `\n${text}\t`, '{}'];
  return random.pick([...notJson, ...notObjects, ...unusual]);
}

/** Paths that break the rule, the last ones by a line terminator alone. */
export const badPaths = [
  ...['', 'docs', '..', '/..', '/docs/..', '/../docs', '/docs/../docs', '/x\n/..', '/docs\n', '/a\u2028b', '\n/a'],
];
