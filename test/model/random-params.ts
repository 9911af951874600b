import { type OperationId, routes } from './call.ts';
import { presenceOf } from './lag.ts';
import type { DriveState, OrganizationState, Picture } from './picture.ts';
import type { Draw } from './random-calls.ts';

type Params = Record<string, string>;

/** Values for the path parameters of an operation: ids that the organization has, or strange ones. */
export function randomParams(operationId: OperationId, draw: Draw): Params {
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
