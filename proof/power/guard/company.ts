import { isMatch } from '../../../conformance/checks/check.ts';

const creations = ['createDrive.is-served', 'createMcpServer.is-served'];
const lists = ['listAgents.is-served', 'listDrives.is-served', 'listMcpServers.is-served'];

/**
 * Checks that judge what other checks send, and others that send enough for the fault of every mutant to show. Patterns of
 * ids with `*`. A check that is not named here finds its mutants alone.
 */
export const company: Readonly<Record<string, readonly string[]>> = {
  '*.unchanged-by.creations': [...lists, ...creations],
  '*.unchanged-by.publications': [...lists, 'publishAgentRevision.is-served'],
  '*.unchanged-by.moves': [...lists, 'updateDriveFile.path-taken-over'],
  '*.unchanged-by.deletions': [...lists, 'deleteDriveTree.file-below-is-gone'],
  '*.unchanged-by.refused-requests': [...lists, 'createDrive.no-server-error'],
  '*.created-not-after-updated': [...creations, 'publishAgentRevision.is-served'],
  '*.creation-makes-one': creations,
  'listDrives.created-drive-stays': ['listDrives.created-drive', 'deleteDriveTree.file-below-is-gone'],
  'listMcpServers.created-server-stays': ['listMcpServers.created-server', 'deleteDriveTree.file-below-is-gone'],
  'listDrives.created-at-stays': [...lists, 'listDrives.created-drive'],
  'listMcpServers.created-at-stays': ['listMcpServers.*', 'createMcpServer.*'],
  'listMcpServers.items-name-one-organization': creations,
  'listMcpServers.hides-other-organization': creations,
  '*.each-answer-repeats-the-request': ['createDrive.name-kept*', 'createMcpServer.name-kept*'],
  '*.each-owner': [...lists, '*.own-organization-at-once'],
  'createDrive.each-one-succeeds': ['createDrive.*', 'listDrives.*'],
  'createMcpServer.each-one-succeeds': [...lists, 'createMcpServer.*'],
  'createDrive.no-null-fields': ['createDrive.name-kept*'],
  'deleteDriveTree.no-null-fields': ['deleteDriveTree.file-below-is-gone.again'],
  'updateDriveFile.no-null-fields': ['deleteDriveTree.file-below-is-gone'],
  'deleteDriveTree.count-fits': ['deleteDriveTree.file-below-is-gone.again'],
  'deleteDriveTree.job-ids-differ': ['deleteDriveTree.file-below-is-gone', 'deleteDriveTree.file-below-is-gone.every'],
  'listDrives.each-page-within-limit': ['createDrive.is-served', 'listDrives.total*'],
  'listDrives.total-counts-the-list': ['createDrive.is-served'],
  'listMcpServerTools.wrong-header-key': ['listAgents.*key*'],
  'updateDriveFile.dot-dot-segment.other-drive': ['updateDriveFile.path-taken-over'],
  'updateDriveFile.other-fields-kept.every-file': ['updateDriveFile.read-shows-new-path.*'],
  'updateDriveFile.path-taken-over.every-move': ['updateDriveFile.read-shows-new-path.*'],
};

/** The patterns of the checks that run together with a check, so that it finds each of its mutants. */
export function companyOf(check: string): string[] {
  return Object.entries(company).flatMap(([pattern, others]) => (isMatch(pattern, check) ? others : []));
}
