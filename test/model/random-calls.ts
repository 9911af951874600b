import { type Call, type OperationId, routes } from './call.ts';
import { organizationOf } from './credentials.ts';
import type { OrganizationState, Picture } from './picture.ts';
import type { Random } from './random.ts';
import { randomBody } from './random-bodies.ts';
import { randomKey } from './random-keys.ts';
import { randomParams } from './random-params.ts';
import { randomQuery } from './random-queries.ts';

/** What a random call is drawn from. */
export interface Draw {
  random: Random;
  picture: Picture;
  organization: OrganizationState;
  /** Whether the call shall be one that succeeds. */
  isMeantWell: boolean;
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
