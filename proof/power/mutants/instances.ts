import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import type { Call } from '../../../src/engine/call.ts';
import { Engine } from '../../../src/engine/engine.ts';
import type { Break, Mutant } from '../mutant.ts';
import { sentInteger } from './patch.ts';
import { table } from './table.ts';

/** Lets another instance of the service, on the same store and with a wrong time zone, carry out calls that are meant. */
function missetInstance(
  operationId: OperationId,
  zone: `${'+' | '-'}${number}:${number}`,
  toIsMeant: () => (call: Call) => boolean = () => () => true,
): Break {
  return (engine) => {
    const answerSoundly = engine.answer.bind(engine);
    const profile = { ...engine.runtime.profile, 'timestamps.zone': zone as string } as Profile;
    const other = new Engine({ ...engine.runtime, profile }, { organizations: [] });
    other.store = engine.store;
    const isMeant = toIsMeant();
    engine.answer = (call) =>
      call.operationId === operationId && isMeant(call) ? other.answer(call) : answerSoundly(call);
  };
}

/** Every so many calls of those that are asked about, counted anew for each engine. */
function every(count: number): () => () => boolean {
  return () => {
    let asked = 0;
    return () => ++asked % count === 0;
  };
}

/** Mutants of which one instance writes the offset of its own time zone. */
export const instances: readonly Mutant[] = table('shape', 'engine', {
  'createDrive.timestamps-are-utc: created-drive-in-local-time': [
    'One of two instances that create drives writes its times with the offset +01:00.',
    missetInstance('createDrive', '+01:00', every(2)),
  ],
  'listDrives.timestamps-are-utc: later-drives-in-local-time': [
    'Pages of drives with an offset come from an instance that writes its times with the offset -05:00.',
    missetInstance('listDrives', '-05:00', () => (call) => (sentInteger(call, 'offset') ?? 0) > 0),
  ],
  'getDriveFile.timestamps-are-utc: file-in-local-time': [
    'Every fifth reading of a file comes from an instance that writes its times with the offset +05:30.',
    missetInstance('getDriveFile', '+05:30', every(5)),
  ],
  'updateDriveFile.timestamps-are-utc: moved-file-in-local-time': [
    'Moves are carried out by an instance that writes its times with the offset +02:00.',
    missetInstance('updateDriveFile', '+02:00'),
  ],
  'listMcpServers.timestamps-are-utc: servers-in-local-time': [
    'One of three instances that list MCP servers writes its times with the offset -08:00.',
    missetInstance('listMcpServers', '-08:00', every(3)),
  ],
  'createMcpServer.timestamps-are-utc: created-server-in-local-time': [
    'One of two instances that register MCP servers writes its times with the offset +09:00.',
    missetInstance('createMcpServer', '+09:00', every(2)),
  ],
});
