import type { Choice, OpenPoint } from '../../openapi/points/open-point.ts';
import { withoutNeeds } from '../../openapi/points/open-point.ts';
import { unlisted } from '../../proof/power/legal-servers.ts';
import { createMock, loadOpenPoints, type Mock, type Profile } from '../../src/index.ts';
import { createWire, type Wire } from '../model/wire.ts';
import type { Client, Reply } from './client.ts';
import { type Script, scriptedSeed, scripts } from './scripted-requests.ts';
import { now } from './tiny-seed.ts';

const points = withoutNeeds(loadOpenPoints());

/** A request with its response. */
export interface InUse {
  script: Script;
  /** Everything that a client sees, except the header itself and what differs between requests anyway. */
  seen: string;
  outcome: string;
  openPoints: readonly string[];
}

/** Runs all scripts on a mock with this profile. The requests use the names of the profile `assumed`. */
export async function carryOut(profile: Profile, assumed: Profile = profile): Promise<InUse[]> {
  const mock = await createMock({ seed: scriptedSeed, clock: now, profile });
  const wire = createWire(mock.url);
  const client = overWire(wire);
  const applied: InUse[] = [];
  for (const script of scripts) applied.push(await runScript(mock, client, script, assumed));
  wire.close();
  await mock.close();
  return applied;
}

// Over kept-alive connections: there are some ten thousand requests.
function overWire(wire: Wire): Client {
  return async (method, path, { key = 'key-a', headers = {}, json, raw } = {}) => {
    const type = json === undefined ? {} : { 'content-type': 'application/json' };
    const sent = { ...(key === null ? {} : { 'x-api-key': key }), ...type, ...headers };
    const body = json === undefined ? raw : JSON.stringify(json);
    const answer = await wire.sendRaw(method, path, sent, body === undefined ? undefined : String(body));
    const value = answer.text.startsWith('{') ? JSON.parse(answer.text) : undefined;
    return { ...answer, headers: new Headers(answer.headers), body: value };
  };
}

async function runScript(mock: Mock, client: Client, script: Script, assumed: Profile): Promise<InUse> {
  mock.reset();
  for (const request of script.before ?? []) await request(client, mock, assumed);
  const reply = await script.request(client, mock, assumed);
  return { script, seen: seenIn(reply), outcome: outcomeOf(reply), openPoints: namedIn(reply) };
}

// How many calls are left depends on earlier calls, which is state.
function seenIn({ status, headers, text }: Reply): string {
  const unseen = ['x-open-points', 'x-request-id', 'keep-alive', 'connection', 'content-length', 'ratelimit-remaining'];
  return JSON.stringify([status, [...headers].filter(([name]) => !unseen.includes(name)), text]);
}

function outcomeOf({ status, body }: Reply): string {
  return status < 400 ? 'success' : String(body?.type ?? 'refused').replace(/^.*:/, '');
}

function namedIn({ headers }: Reply): string[] {
  return headers.get('x-open-points')?.split(', ') ?? [];
}

/** For each script, the open points where a different choice changes the response. */
export async function changesTo(
  base: Profile,
  reference: readonly InUse[],
  varied: readonly OpenPoint[],
  valuesOf: (point: OpenPoint) => readonly Choice[],
): Promise<ReadonlySet<string>[]> {
  const changes = reference.map(() => new Set<string>());
  for (const point of varied) {
    for (const value of valuesOf(point).filter((one) => one !== base[point.id as keyof Profile])) {
      const applied = await carryOut({ ...base, [point.id]: value }, base);
      for (const [place, { seen }] of applied.entries()) {
        if (seen !== reference[place]?.seen) changes[place]?.add(point.id);
      }
    }
  }
  return changes;
}

/** The open points that changed a response but were not named in it. */
export function unnamed(reference: readonly InUse[], changes: readonly ReadonlySet<string>[]): string[] {
  return reference.flatMap(({ script, openPoints }, place) =>
    [...(changes[place] ?? [])]
      .filter((id) => !openPoints.includes(id) && isSeenIn(script, id))
      .map((id) => `${script.name}: ${id}`),
  );
}

// Earlier requests may lead to a different state. That counts if the register says that it shows.
function isSeenIn({ before, operationId }: Script, id: string): boolean {
  const touched = points.find((point) => point.id === id)?.operations ?? [];
  return before === undefined || (operationId !== undefined && touched.includes(operationId));
}

// The response to a single request does not show what these change: it depends on the state or on earlier requests.
const shownByState: ReadonlySet<string> = new Set([
  ...['listOrder', 'totalMeaning', 'keyOrder', 'idFormat', 'sizeUnit', 'documentCount', 'fileStatusFlow'],
  ...[
    'flagsAfterPublish',
    'countsAsUpdate.publish',
    'countsAsUpdate.move',
    'countsAsUpdate.drive',
    'fileNameAfterMove',
  ],
  ...['treeDeletion', 'treePath.file', 'duplicates.names', 'duplicates.urls', 'foreignResourceStatus', 'republish'],
  ...['moveTargets', 'pathConflict', 'treePath.missing', 'readAfterWrite', 'toolsOfNewServer', 'missingValues'],
  'pathForm.letters',
]);

// Under one of the profiles below, these change nothing: two faults coincide, or all errors are the same.
const alsoNamed: ReadonlySet<string> = new Set([
  'listAgents: with a key and a scheme in lower case: bothAuthHeaders',
  'listAgents: with a key and a scheme in lower case: bearerSpelling',
  'listDrives: two limits, of which one is none: oddPaging.malformed',
  'listDrives: two limits, of which one is too large: oddPaging.outOfRange',
  'listDrives: two limits, of which one is too large: pagingDefaults.limit',
  'getDriveFile: unknown, with a parameter: unknownInput.queryParameters',
  'updateDriveFile: an unknown file with more fields: unknownInput.bodyFields',
  'updateDriveFile: to null: wrongBodyTypes',
  'deleteDriveTree: a file, oddly: pathForm.spelling',
  'deleteDriveTree: by another parameter: treePathParameter',
  'deleteDriveTree: of an unknown drive: treePathParameter',
  'deleteDriveTree: of an unknown drive, without a path: treePath.notSent',
  'deleteDriveTree: of a malformed drive: treePathParameter',
  'deleteDriveTree: of a foreign drive: treePathParameter',
  'createMcpServer: with a URL and a port that is too large: mcpUrlRules',
  'createMcpServer: with a list: wrongBodyTypes',
  'createMcpServer, success: duplicates.names',
  'deleteDriveTree, refused: treeDeletion',
]);

/** The open points named in a response that no choice changes, although the request alone shows that. */
export function needless(
  reference: readonly InUse[],
  changes: readonly ReadonlySet<string>[],
  varied: readonly OpenPoint[],
): string[] {
  const isShown = (id: string, { operationId }: Script) =>
    !shownByState.has(id) && !(id === 'pathForm.spelling' && operationId === 'getDriveFile');
  const ids = new Set(varied.map(({ id }) => id));
  return reference.flatMap(({ script, openPoints }, place) =>
    openPoints
      .filter((id) => ids.has(id) && isShown(id, script) && !changes[place]?.has(id))
      .map((id) => `${script.name}: ${id}`)
      .filter((one) => !alsoNamed.has(one)),
  );
}

/** Profiles that differ from the default at the open points that decide how calls end. */
export const oddProfiles = {
  strict: {
    ...{ malformedIds: 'refused', 'unknownInput.queryParameters': 'refused', 'unknownInput.bodyFields': 'refused' },
    ...{ foreignResourceStatus: 'forbidden', judgedFirst: 'resource', bearerSpelling: 'exact' },
    ...{ bothAuthHeaders: 'bearerWins', republish: 'refused', moveTargets: 'strict', nameRules: 'bounded' },
    ...{ 'duplicates.names': 'refused', 'duplicates.urls': 'refused', mcpUrlRules: 'canonicalHttpUrl' },
    ...{ bodySizeLimit: 4096, 'pathForm.length': 255, 'treePath.root': 'refused', 'treePath.file': 'refused' },
    ...{ treeDeletion: 'asynchronous', errorBody: 'nested', publishBody: 'revision' },
    'requiredFields.createMcpServer': 'url',
  },
  lenient: {
    ...{ 'requiredFields.createDrive': 'none', mediaTypeRules: 'lenient', wrongBodyTypes: 'coerced' },
    ...{ 'oddPaging.outOfRange': 'ignored', 'oddPaging.malformed': 'ignored', 'oddPaging.repeated': 'last' },
    ...{ nameRules: 'anyString', mcpUrlRules: 'anyString', errorBody: 'list', pathConflict: 'replaced' },
    ...{ 'treePath.notSent': 'emptyJob', 'treePath.missing': 'emptyJob', 'treePath.file': 'likeMissing' },
    ...{ 'pathForm.spelling': 'normalized', 'pathForm.lineBreaks': 'accepted', bothAuthHeaders: 'apiKeyWins' },
    ...{ 'duplicates.names': 'refused', 'duplicates.urls': 'refused', 'successStatus.publishAgentRevision': 204 },
  },
} as const satisfies Record<string, Partial<Profile>>;

/** The values of an open point: the listed ones, and one more in its range. */
export const listedAndMore = (point: OpenPoint) => [
  ...point.choices.map(({ value }) => value),
  ...(point.range === undefined ? [] : [unlisted(point, point.range)]),
];

/** The open points named in the responses of an operation with an outcome that change none of them. */
export function padding(
  reference: readonly InUse[],
  changes: readonly ReadonlySet<string>[],
  varied: readonly OpenPoint[],
): string[] {
  const kindOf = ({ script, outcome }: InUse) => `${script.operationId}, ${outcome}`;
  const places = Map.groupBy(reference.keys(), (place) => kindOf(reference[place] as InUse));
  return [...places].flatMap(([kind, ofKind]) => {
    const changed = new Set(ofKind.flatMap((place) => [...(changes[place] ?? [])]));
    const named = new Set(ofKind.flatMap((place) => reference[place]?.openPoints ?? []));
    const idle = varied.filter(({ id }) => named.has(id) && !changed.has(id));
    return idle.map(({ id }) => `${kind}: ${id}`).filter((one) => !alsoNamed.has(one));
  });
}
