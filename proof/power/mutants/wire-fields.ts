import type { Mutant, WireFault } from '../mutant.ts';
import { type Fields, without } from './rewrite.ts';
import { wireTable } from './table.ts';
import { changeAnswer, isSuccess, withBody } from './wire-faults.ts';

/** Changes each object that a success holds: the answer itself, or the items of the array that it is. */
function changeObjects(change: (fields: Fields) => Fields): WireFault {
  return changeAnswer(isSuccess, (answer) => {
    const value = JSON.parse(answer.body) as Fields | Fields[];
    return withBody(answer, JSON.stringify(Array.isArray(value) ? value.map(change) : change(value)));
  });
}

/** Objects that something in front of the service filters or completes. */
export const wireFields: readonly Mutant[] = wireTable('shape', {
  'createDrive.fields-present: created-drive-without-what-is-said-twice': [
    'A gateway leaves updatedAt out of the answer to a creation of a drive where it is the same as createdAt.',
    () => changeObjects((drive) => (drive.updatedAt === drive.createdAt ? without(drive, 'updatedAt') : drive)),
  ],
  'listMcpServers.fields-present: server-without-an-inner-address': [
    'A gateway that hides inner addresses leaves the URL out of listed MCP servers where it names a port.',
    () => changeObjects((server) => (new URL(String(server.url)).port === '' ? server : without(server, 'url'))),
  ],
  'getDriveFile.fields-present: empty-file-without-size': [
    'A gateway leaves the size out of a file that is read where it is 0.',
    () => changeObjects((file) => (file.size === 0 ? without(file, 'size') : file)),
  ],
  'getDriveFile.kind-values: image-of-kind-image': [
    'A gateway that makes previews shows the kind of an image that is read as image.',
    () => changeObjects((file) => (String(file.contentType).startsWith('image/') ? { ...file, kind: 'image' } : file)),
  ],
});
