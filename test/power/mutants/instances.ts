import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import type { Call } from '../../../src/engine/call.ts';
import { Engine } from '../../../src/engine/engine.ts';
import type { Mutant } from '../mutant.ts';
import { sentInteger } from './patch.ts';

/** Lets another instance of the service, on the same store and with a wrong time zone, carry out calls that are meant. */
function missetInstance(
  engine: Engine,
  operationId: OperationId,
  zone: `${'+' | '-'}${number}:${number}`,
  isMeant: (call: Call) => boolean = () => true,
): void {
  const answerSoundly = engine.answer.bind(engine);
  const profile = { ...engine.world.profile, timestampZone: zone as string } as Profile;
  const other = new Engine({ ...engine.world, profile }, { organizations: [] });
  other.store = engine.store;
  engine.answer = (call) =>
    call.operationId === operationId && isMeant(call) ? other.answer(call) : answerSoundly(call);
}

/** Every so many calls of those that are asked about. */
function every(count: number): () => boolean {
  let asked = 0;
  return () => ++asked % count === 0;
}

const utc = { class: 'shape', place: 'engine', requirement: 'timestamps.are-in-utc' } as const;

/** Mutants of which one instance writes the offset of its own time zone. */
export const instances: readonly Mutant[] = [
  {
    id: 'created-drive-in-local-time',
    ...utc,
    check: 'createDrive.timestamps-are-utc',
    fault: 'One of two instances that create drives writes its times with the offset +01:00.',
    break: (engine) => missetInstance(engine, 'createDrive', '+01:00', every(2)),
  },
  {
    id: 'later-drives-in-local-time',
    ...utc,
    check: 'listDrives.timestamps-are-utc',
    fault: 'Pages of drives with an offset come from an instance that writes its times with the offset -05:00.',
    break: (engine) => missetInstance(engine, 'listDrives', '-05:00', (call) => (sentInteger(call, 'offset') ?? 0) > 0),
  },
  {
    id: 'file-in-local-time',
    ...utc,
    check: 'getDriveFile.timestamps-are-utc',
    fault: 'Every fifth reading of a file comes from an instance that writes its times with the offset +05:30.',
    break: (engine) => missetInstance(engine, 'getDriveFile', '+05:30', every(5)),
  },
  {
    id: 'moved-file-in-local-time',
    ...utc,
    check: 'updateDriveFile.timestamps-are-utc',
    fault: 'Moves are carried out by an instance that writes its times with the offset +02:00.',
    break: (engine) => missetInstance(engine, 'updateDriveFile', '+02:00'),
  },
  {
    id: 'servers-in-local-time',
    ...utc,
    check: 'listMcpServers.timestamps-are-utc',
    fault: 'One of three instances that list MCP servers writes its times with the offset -08:00.',
    break: (engine) => missetInstance(engine, 'listMcpServers', '-08:00', every(3)),
  },
  {
    id: 'created-server-in-local-time',
    ...utc,
    check: 'createMcpServer.timestamps-are-utc',
    fault: 'One of two instances that register MCP servers writes its times with the offset +09:00.',
    break: (engine) => missetInstance(engine, 'createMcpServer', '+09:00', every(2)),
  },
];
