import type { Mutant, WireFault } from '../mutant.ts';
import { wireTable } from './table.ts';
import { answerWith, changeRequest, changeSegment, passOn, pathOf, readFieldAs } from './wire-faults.ts';

/** Takes a header for missing unless its name is spelled like this. */
function onlySpelled(name: string): WireFault {
  return (request, response, forward) => {
    const sent = request.rawHeaders.find((each, index) => index % 2 === 0 && each.toLowerCase() === name.toLowerCase());
    const fault = sent === undefined || sent === name ? passOn : answerWith(401, json, '{"message":"no key"}');
    return fault(request, response, forward);
  };
}

const json = { 'content-type': 'application/json' };

/** Inputs that are not read as stated. */
export const wireInputs: readonly Mutant[] = [
  ...wireTable('transport', {
    'listAgents.needs-no-input > listAgents.is-served: agents-want-a-query': [
      'The list of agents without a query is answered with 400.',
      () => (request, response, forward) => {
        const isBare = !(request.url ?? '').includes('?');
        const fault = isBare ? answerWith(400, json, '{"message":"limit is required"}') : passOn;
        return fault(request, response, forward);
      },
    ],
    'publishAgentRevision.agent-id-in-path > publishAgentRevision.is-served: agent-id-in-capitals': [
      'The id in the path is turned into capitals before the agent is looked for, and none is found.',
      () => changeRequest((url) => ({ path: changeSegment(url, 1, (id) => id.toUpperCase()) })),
    ],
    'publishAgentRevision.revision-id-in-body > publishAgentRevision.is-served: revision-read-from-revision': [
      'The revision is read from the field revision, not from revisionId.',
      () => changeRequest(() => ({ body: readFieldAs('revisionId', 'revision') })),
    ],
    'createDrive.name-in-body > createDrive.is-served: drive-name-read-from-title': [
      'The name of a new drive is read from the field title.',
      () => changeRequest(() => ({ body: readFieldAs('name', 'title') })),
    ],
    'getDriveFile.ids-in-path > getDriveFile.is-served: file-ids-change-places': [
      'The first id in the path is taken for that of the file, and the second for that of the drive.',
      () =>
        changeRequest((url) => ({ path: url.replace(/\/drives\/([^/]+)\/files\/([^/?]+)/, '/drives/$2/files/$1') })),
    ],
    'updateDriveFile.path-in-body > updateDriveFile.is-served: new-path-read-from-new-path': [
      'The new path of a file is read from the field newPath.',
      () => changeRequest(() => ({ body: readFieldAs('path', 'newPath') })),
    ],
    'deleteDriveTree.drive-id-in-path > deleteDriveTree.is-served: drive-id-as-number': [
      'The id of the drive is read as a number, up to its first letter.',
      () => changeRequest((url) => ({ path: changeSegment(url, 1, (id) => String(Number.parseInt(id, 10))) })),
    ],
    'deleteDriveTree.path-in-query > deleteDriveTree.is-served: deletion-reads-no-query': [
      'A tree deletion does not read its query, and misses the path.',
      () => changeRequest((url) => ({ path: pathOf(url) })),
    ],
    'createMcpServer.name-and-url-in-body > createMcpServer.is-served: server-url-read-from-endpoint': [
      'The URL of a new MCP server is read from the field endpoint.',
      () => changeRequest(() => ({ body: readFieldAs('url', 'endpoint') })),
    ],
    'listMcpServerTools.server-id-in-path > listMcpServerTools.is-served: server-id-cut': [
      'Of the id of the MCP server only the first 32 characters are read.',
      () => changeRequest((url) => ({ path: changeSegment(url, 1, (id) => id.slice(0, 32)) })),
    ],
    'auth.api-key-header > listDrives.header-key: x-api-key-is-known-in-one-case-only': [
      'The name of the header X-API-Key is compared with its case.',
      () => onlySpelled('X-API-Key'),
    ],
    'auth.bearer-header > listAgents.bearer-key: authorization-is-known-in-one-case-only': [
      'The name of the header Authorization is compared with its case.',
      () => onlySpelled('Authorization'),
    ],
    'bodies.requests-are-json > updateDriveFile.is-served: move-wants-a-merge-patch': [
      'A move takes application/merge-patch+json alone; application/json is answered with 415.',
      () => (request, response, forward) => {
        const isPatch = request.headers['content-type'] === 'application/merge-patch+json';
        const fault = isPatch
          ? changeRequest(() => ({ headers: json }))
          : answerWith(415, json, '{"message":"Send application/merge-patch+json"}');
        return fault(request, response, forward);
      },
    ],
  }),
  ...wireTable('pagination', {
    'listDrives.limit-one-page: paging-reads-no-query': [
      'The query of the list of drives is not read: there is one page, whatever is asked for.',
      () => changeRequest((url) => ({ path: pathOf(url) })),
    ],
  }),
];
