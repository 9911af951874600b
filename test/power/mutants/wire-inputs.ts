import {
  answerWith,
  changeRequest,
  changeSegment,
  on,
  passOn,
  pathOf,
  readFieldAs,
  type WireMutant,
} from './wire-faults.ts';

const json = { 'content-type': 'application/json' };

/** Inputs that are not read as stated. */
export const wireInputs: readonly WireMutant[] = [
  {
    id: 'agents-want-a-query',
    requirement: 'listAgents.needs-no-input',
    check: 'listAgents.is-served',
    fault: 'The list of agents without a query is answered with 400.',
    wire: () =>
      on('listAgents', (request, response, forward) => {
        const isBare = !(request.url ?? '').includes('?');
        const fault = isBare ? answerWith(400, json, '{"message":"limit is required"}') : passOn;
        return fault(request, response, forward);
      }),
  },
  {
    id: 'agent-id-in-capitals',
    requirement: 'publishAgentRevision.agent-id-in-path',
    check: 'publishAgentRevision.is-served',
    fault: 'The id in the path is turned into capitals before the agent is looked for, and none is found.',
    wire: () =>
      on(
        'publishAgentRevision',
        changeRequest((url) => ({ path: changeSegment(url, 1, (id) => id.toUpperCase()) })),
      ),
  },
  {
    id: 'revision-read-from-revision',
    requirement: 'publishAgentRevision.revision-id-in-body',
    check: 'publishAgentRevision.is-served',
    fault: 'The revision is read from the field revision, not from revisionId.',
    wire: () =>
      on(
        'publishAgentRevision',
        changeRequest(() => ({ body: readFieldAs('revisionId', 'revision') })),
      ),
  },
  {
    id: 'drive-name-read-from-title',
    requirement: 'createDrive.name-in-body',
    check: 'createDrive.is-served',
    fault: 'The name of a new drive is read from the field title.',
    wire: () =>
      on(
        'createDrive',
        changeRequest(() => ({ body: readFieldAs('name', 'title') })),
      ),
  },
  {
    id: 'file-ids-change-places',
    requirement: 'getDriveFile.ids-in-path',
    check: 'getDriveFile.is-served',
    fault: 'The first id in the path is taken for that of the file, and the second for that of the drive.',
    wire: () =>
      on(
        'getDriveFile',
        changeRequest((url) => ({ path: url.replace(/\/drives\/([^/]+)\/files\/([^/?]+)/, '/drives/$2/files/$1') })),
      ),
  },
  {
    id: 'new-path-read-from-new-path',
    requirement: 'updateDriveFile.path-in-body',
    check: 'updateDriveFile.is-served',
    fault: 'The new path of a file is read from the field newPath.',
    wire: () =>
      on(
        'updateDriveFile',
        changeRequest(() => ({ body: readFieldAs('path', 'newPath') })),
      ),
  },
  {
    id: 'drive-id-as-number',
    requirement: 'deleteDriveTree.drive-id-in-path',
    check: 'deleteDriveTree.is-served',
    fault: 'The id of the drive is read as a number, up to its first letter.',
    wire: () =>
      on(
        'deleteDriveTree',
        changeRequest((url) => ({ path: changeSegment(url, 1, (id) => String(Number.parseInt(id, 10))) })),
      ),
  },
  {
    id: 'deletion-reads-no-query',
    requirement: 'deleteDriveTree.path-in-query',
    check: 'deleteDriveTree.is-served',
    fault: 'A tree deletion does not read its query, and misses the path.',
    wire: () =>
      on(
        'deleteDriveTree',
        changeRequest((url) => ({ path: pathOf(url) })),
      ),
  },
  {
    id: 'server-url-read-from-endpoint',
    requirement: 'createMcpServer.name-and-url-in-body',
    check: 'createMcpServer.is-served',
    fault: 'The URL of a new MCP server is read from the field endpoint.',
    wire: () =>
      on(
        'createMcpServer',
        changeRequest(() => ({ body: readFieldAs('url', 'endpoint') })),
      ),
  },
  {
    id: 'server-id-cut',
    requirement: 'listMcpServerTools.server-id-in-path',
    check: 'listMcpServerTools.is-served',
    fault: 'Of the id of the MCP server only the first 32 characters are read.',
    wire: () =>
      on(
        'listMcpServerTools',
        changeRequest((url) => ({ path: changeSegment(url, 1, (id) => id.slice(0, 32)) })),
      ),
  },
  {
    id: 'move-wants-a-merge-patch',
    requirement: 'bodies.requests-are-json',
    check: 'updateDriveFile.is-served',
    fault: 'A move takes application/merge-patch+json alone; application/json is answered with 415.',
    wire: () =>
      on('updateDriveFile', (request, response, forward) => {
        const isPatch = request.headers['content-type'] === 'application/merge-patch+json';
        const fault = isPatch
          ? changeRequest(() => ({ headers: json }))
          : answerWith(415, json, '{"message":"Send application/merge-patch+json"}');
        return fault(request, response, forward);
      }),
  },
  {
    id: 'paging-reads-no-query',
    class: 'pagination',
    requirement: 'listDrives.limit-is-at-most',
    check: 'listDrives.limit-one-page',
    fault: 'The query of the list of drives is not read: there is one page, whatever is asked for.',
    wire: () =>
      on(
        'listDrives',
        changeRequest((url) => ({ path: pathOf(url) })),
      ),
  },
];
