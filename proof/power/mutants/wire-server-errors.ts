import type { Mutant } from '../mutant.ts';
import { wireTable } from './table.ts';
import { answerWith, changeStatus, isRefusal, passOn } from './wire-faults.ts';

const failing = (isMeant: (status: number) => boolean) => () => changeStatus(isMeant, 500);
const is = (status: number) => (candidate: number) => candidate === status;

/** Services that fail where they should refuse: an error that nobody caught. */
export const wireServerErrors: readonly Mutant[] = wireTable('status', {
  'listAgents.no-server-error: agents-for-nobody-are-an-error': [
    'Looking up a key that is not there throws, so that GET /agents without a valid key is a 500.',
    failing(is(401)),
  ],
  'publishAgentRevision.no-server-error: publishing-what-is-not-there-is-an-error': [
    'A foreign key in the database stops the publication of what does not exist, with 500.',
    failing(is(404)),
  ],
  'createDrive.no-server-error: creating-for-nobody-is-an-error': [
    'A new drive needs the organization of the key; without a valid key that is a 500.',
    failing(is(401)),
  ],
  'listDrives.no-server-error: a-bad-limit-is-an-error': [
    'A limit out of range goes into the query as it is, and the database throws: 500.',
    failing((status) => isRefusal(status) && status !== 401),
  ],
  'listDrives.no-server-error: parameters-sent-twice-are-an-error': [
    'A query parameter that is sent twice becomes an array, which has none of the methods of a text: 500.',
    () => (request, response, forward) => {
      const fault = /[?&]limit=.*&limit=/.test(request.url ?? '') ? answerWith(500, {}) : passOn;
      return fault(request, response, forward);
    },
  ],
  'getDriveFile.no-server-error: reading-a-missing-file-is-an-error': [
    'A file that is not there is read all the same, which is a 500.',
    failing(is(404)),
  ],
  'updateDriveFile.no-server-error: refused-moves-are-errors': [
    'Every refusal of a move is an exception that becomes a 500.',
    failing(isRefusal),
  ],
  'deleteDriveTree.no-server-error: deleting-in-a-missing-drive-is-an-error': [
    'The tree of a drive that does not exist is looked up all the same, which is a 500.',
    failing(is(404)),
  ],
  'listMcpServers.no-server-error: servers-for-nobody-are-an-error': [
    'GET /mcp-servers without a valid key fails with 500.',
    failing(is(401)),
  ],
  'createMcpServer.no-server-error: registering-for-nobody-is-an-error': [
    'POST /mcp-servers without a valid key fails with 500.',
    failing(is(401)),
  ],
  'listMcpServerTools.no-server-error: tools-of-nothing-are-an-error': [
    'Asking for the tools of an MCP server that does not exist is a 500.',
    failing(is(404)),
  ],
});
