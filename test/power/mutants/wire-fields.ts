import type { WireFault } from '../mutant.ts';
import { type Fields, without } from './rewrite.ts';
import { changeAnswer, isSuccess, on, type WireMutant, withBody } from './wire-faults.ts';

/** Changes each object that a success holds: the answer itself, or the items of the array that it is. */
function changeObjects(change: (fields: Fields) => Fields): WireFault {
  return changeAnswer(isSuccess, (answer) => {
    const value = JSON.parse(answer.body) as Fields | Fields[];
    return withBody(answer, JSON.stringify(Array.isArray(value) ? value.map(change) : change(value)));
  });
}

/** Objects that something in front of the service filters or completes. */
export const wireFields: readonly WireMutant[] = [
  {
    id: 'created-drive-without-what-is-said-twice',
    class: 'shape',
    requirement: 'drive.fields-are-present',
    check: 'createDrive.fields-present',
    fault: 'A gateway leaves updatedAt out of the answer to a creation of a drive where it is the same as createdAt.',
    wire: () =>
      on(
        'createDrive',
        changeObjects((drive) => (drive.updatedAt === drive.createdAt ? without(drive, 'updatedAt') : drive)),
      ),
  },
  {
    id: 'server-without-an-inner-address',
    class: 'shape',
    requirement: 'mcpServer.fields-are-present',
    check: 'listMcpServers.fields-present',
    fault: 'A gateway that hides inner addresses leaves the URL out of listed MCP servers where it names a port.',
    wire: () =>
      on(
        'listMcpServers',
        changeObjects((server) => (new URL(String(server.url)).port === '' ? server : without(server, 'url'))),
      ),
  },
  {
    id: 'empty-file-without-size',
    class: 'shape',
    requirement: 'driveFile.fields-are-present',
    check: 'getDriveFile.fields-present',
    fault: 'A gateway leaves the size out of a file that is read where it is 0.',
    wire: () =>
      on(
        'getDriveFile',
        changeObjects((file) => (file.size === 0 ? without(file, 'size') : file)),
      ),
  },
  {
    id: 'image-of-kind-image',
    class: 'shape',
    requirement: 'driveFile.kind-values',
    check: 'getDriveFile.kind-values',
    fault: 'A gateway that makes previews shows the kind of an image that is read as image.',
    wire: () =>
      on(
        'getDriveFile',
        changeObjects((file) => (String(file.contentType).startsWith('image/') ? { ...file, kind: 'image' } : file)),
      ),
  },
];
