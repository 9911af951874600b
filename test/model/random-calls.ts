import fc from 'fast-check';
import type { Profile } from '../../src/index.ts';
import { type Call, type OperationId, routes } from './call.ts';
import { presenceOf } from './lag.ts';
import { createPicture, type DriveState, type OrganizationState, organizationOf, type Picture } from './picture.ts';
import { createRandom, type Random } from './random.ts';
import { randomBody } from './random-bodies.ts';
import { randomQuery } from './random-queries.ts';
import { seed } from './seed.ts';

/** What a random call is drawn from. */
export interface Draw {
  random: Random;
  picture: Picture;
  organization: OrganizationState;
  /** Whether the call shall be one that succeeds. */
  isMeantWell: boolean;
}

/** Calls to a mock with the seed of the model in its starting state: good ones, and near misses of every kind. */
export function anyCallUnder(profile: Profile): fc.Arbitrary<Call> {
  const picture = createPicture(seed.organizations, profile);
  return fc.nat().map((number) => {
    const random = createRandom(number);
    return randomCall(random, picture, random.chance(0.4));
  });
}

const operationIds = Object.keys(routes) as OperationId[];

/** A call that succeeds, as far as that can be foreseen, or one that goes wrong in one way or another. */
export function randomCall(random: Random, picture: Picture, isMeantWell: boolean, previous?: Call): Call {
  const [first, ...others] = picture.organizations;
  const organization = random.pick(first === undefined ? others : [first, first, first, ...others]);
  const draw = { random, picture, organization, isMeantWell };
  const followUp = previous && random.chance(0.35) ? randomFollowUp(previous, draw) : undefined;
  return followUp ?? assemble(random.pick(operationIds), draw);
}

function assemble(operationId: OperationId, draw: Draw, already: Partial<Call> = {}): Call {
  const params = { ...randomParams(operationId, draw), ...already.params };
  const body = randomBody(operationId, params, draw);
  const headers = { ...randomKey(draw), ...body.headers };
  const content = body.text === undefined ? {} : { body: body.text };
  return { operationId, params, query: already.query ?? randomQuery(operationId, params, draw), headers, ...content };
}

/** Where the effect of a write shows. */
const readings: Partial<Record<OperationId, OperationId>> = {
  publishAgentRevision: 'listAgents',
  createDrive: 'listDrives',
  createMcpServer: 'listMcpServers',
  updateDriveFile: 'getDriveFile',
  deleteDriveTree: 'getDriveFile',
};

const wholePage = [
  ['limit', '100'],
  ['offset', '0'],
] as const;

function randomFollowUp(previous: Call, draw: Draw): Call | undefined {
  const organization = organizationOf(previous, draw.picture);
  const reading = readings[previous.operationId];
  if (organization === undefined || reading === undefined) return undefined;
  const params = reading === 'getDriveFile' ? fileIds(previous, organization, draw.random) : {};
  const query = reading === 'listDrives' ? { query: wholePage } : {};
  return assemble(reading, { ...draw, organization, isMeantWell: true }, { params, ...query });
}

// The file of the call, or one that a deletion may have taken.
function fileIds({ params }: Call, { drives }: OrganizationState, random: Random): Record<string, string> {
  const drive = drives.find(({ id }) => id === params.driveId);
  const files = drive?.files.map(({ id }) => id) ?? [];
  return { fileId: random.pick([...files, ...(drive?.gone ?? []), 'none']), ...params };
}

/** Headers that carry a key in one way or another, or none. */
function randomKey({ random, picture, organization, isMeantWell }: Draw): Record<string, string> {
  const key = random.pick(organization.keys);
  const other = random.pick(picture.organizations.flatMap(({ keys }) => keys));
  const good = [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }, { authorization: `bearer ${key}` }];
  const both = { 'x-api-key': key, authorization: `Bearer ${key}` };
  if (isMeantWell || random.chance(0.7)) return random.pick([...good, ...good, both]);
  return random.pick([{}, ...badKeys(key), { 'x-api-key': key, authorization: `Bearer ${other}` }]);
}

function badKeys(key: string): Record<string, string>[] {
  return [
    { 'x-api-key': `${key}x` },
    { 'x-api-key': key.toUpperCase() },
    { authorization: key },
    { authorization: `Basic ${key}` },
    { authorization: 'Bearer wrong' },
    { 'x-api-key': 'wrong', authorization: `Bearer ${key}` },
    { 'x-api-key': key, authorization: 'Bearer wrong' },
  ];
}

type Params = Record<string, string>;

/** Values for the path parameters of an operation: ids that the organization has, or strange ones. */
function randomParams(operationId: OperationId, draw: Draw): Params {
  const known = knownIds(operationId, draw);
  const names = [...routes[operationId][1].matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const isStrange = () => !draw.isMeantWell && draw.random.chance(0.35);
  return Object.fromEntries(names.map((name) => [name, isStrange() ? strangeId(name, draw) : (known[name] ?? '')]));
}

function knownIds(operationId: OperationId, { random, organization, isMeantWell }: Draw): Params {
  const isPublishable = ({ revisions }: { revisions: readonly unknown[] }) => !isMeantWell || revisions.length > 0;
  const isRich = isMeantWell || random.chance(0.8);
  const drives = organization.drives.filter((drive) => presentFiles(drive, organization).length > 0);
  const needsFiles = operationId !== 'createDrive' && isRich && drives.length > 0;
  const drive = random.pick(needsFiles ? drives : organization.drives);
  const present = presentFiles(drive, organization);
  return {
    agentId: random.pick(organization.agents.filter(isPublishable)).id,
    driveId: drive.id,
    fileId: random.pick(
      isMeantWell && present.length > 0 ? present : [...drive.files.map(({ id }) => id), ...drive.gone, 'none'],
    ),
    mcpServerId: random.pick(organization.servers).id,
  };
}

function presentFiles({ files }: DriveState, organization: OrganizationState): string[] {
  return files.filter((file) => presenceOf(file, organization) === 'yes').map(({ id }) => id);
}

function strangeId(name: string, { random, picture }: Draw): string {
  const ids = allIds(picture);
  const unknown = ['unknown', '0', 'rev-1', 'DRIVE-FILES', 'constructor', '__proto__'];
  const malformed = ['a.b', 'a b', 'a/b', 'ü', "a'b", '%', 'a\u0000', '9'.repeat(90)];
  const sameKind = ids[name] ?? [];
  return random.pick(
    [sameKind, sameKind, Object.values(ids).flat(), unknown, malformed].map((each) => random.pick(each)),
  );
}

// By the name of the parameter that takes them, of all organizations.
function allIds({ organizations }: Picture): Record<string, string[]> {
  const idsOf = (resources: readonly { id: string }[]) => resources.map(({ id }) => id);
  const drives = organizations.flatMap((each) => each.drives);
  return {
    agentId: idsOf(organizations.flatMap(({ agents }) => agents)),
    driveId: idsOf(drives.filter(({ files }) => files.length > 0).concat(drives.slice(-1))),
    fileId: ['none', ...idsOf(drives.flatMap(({ files }) => files))],
    mcpServerId: idsOf(organizations.flatMap(({ servers }) => servers)),
  };
}
