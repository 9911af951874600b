import { isRepublication } from '../reading/deviations.ts';
import { acceptedOrRefused } from '../reading/observer.ts';
import { success } from './relevance.ts';
import type { Rooms } from './room.ts';

/** What a change does to flags, times and statuses. */
export const changesPoints = {
  republish: {
    sources: ['4.2/sentence:4', '7/gap:2'],
    operations: 'publishAgentRevision',
    impact: 'visible',
    seen: 'wire',
    severity: 2,
    open: 'The response if the revision to publish is already active.',
    choices: [
      { value: 'accepted', means: 'it succeeds again' },
      { value: 'refused', means: 'the request is refused as a conflict, by default with 409' },
    ],
    default: 'accepted',
    cost: 'A client that publishes after every save shows an error although nothing is wrong.',
    question: 'Can the active revision be published again?',
    see: acceptedOrRefused(isRepublication, 'accepted', 'refused'),
    refuses: ({ republish }) => (republish === 'refused' ? ['conflict'] : []),
    decides: { outcomes: ({ republish }) => [republish === 'refused' ? 'conflict' : success] },
  },
  flagsAfterPublish: {
    sources: ['3/gap:2'],
    operations: ['listAgents', 'publishAgentRevision'],
    impact: 'visible',
    seen: 'state',
    severity: 2,
    open: 'The effect of publishing on hasChanges. The specification does not state what counts as an unpublished change, so any choice is legal. isPublished is true afterwards: that follows from its meaning.',
    choices: [
      { value: 'derived', means: 'hasChanges is true if there is a newer revision than the published one' },
      { value: 'changesCleared', means: 'hasChanges is false' },
      { value: 'changesKept', means: 'hasChanges is unchanged' },
    ],
    default: 'derived',
    isStored: true,
    cost: 'A client that hides its publish button while there are no changes hides it at the wrong time, or never.',
    question: 'What does publishing do to isPublished and hasChanges?',
  },
  countsAsUpdate: {
    impact: 'visible',
    severity: 1,
    open: 'What counts as an update.',
    question: 'Which changes set updatedAt of an agent or a drive, and modifiedAt of a file?',
    cases: {
      publish: {
        sources: ['2.agent/row:updatedAt', '4.2/sentence:4'],
        operations: ['listAgents', 'publishAgentRevision'],
        seen: 'state',
        open: 'Whether publishing updates the agent.',
        choices: [
          { value: 'touched', means: 'updatedAt becomes the time of publishing' },
          { value: 'kept', means: 'updatedAt is unchanged' },
        ],
        default: 'touched',
        isStored: true,
        cost: 'A list sorted by last update has an unexpected order.',
      },
      move: {
        sources: ['2.driveFile/row:modifiedAt'],
        operations: 'DriveFile',
        seen: 'wire',
        open: 'Whether a move modifies the file.',
        choices: [
          { value: 'touched', means: 'modifiedAt becomes the time of the move' },
          { value: 'kept', means: 'modifiedAt is unchanged' },
        ],
        default: 'touched',
        isStored: true,
        cost: 'A list sorted by last change has an unexpected order.',
      },
      drive: {
        sources: ['2.drive/row:updatedAt', '4.6/sentence:2', '4.7/sentence:3'],
        operations: ['Drive', '-createDrive', 'updateDriveFile', 'deleteDriveTree'],
        seen: 'state',
        open: "Whether moving or deleting a file changes its drive's updatedAt.",
        choices: [
          { value: 'kept', means: 'updatedAt is unchanged' },
          { value: 'touched', means: 'updatedAt becomes the time of the move or deletion' },
        ],
        default: 'kept',
        isStored: true,
        cost: 'A client that reloads a drive when updatedAt changes misses changes to its files.',
      },
    },
  },
  fileStatusFlow: {
    sources: ['3/gap:1'],
    operations: 'DriveFile',
    impact: 'visible',
    seen: 'state',
    severity: 3,
    open: "The transitions of a file's status.",
    choices: [
      { value: 'byClock', means: "a file in processing becomes ready or error at the time given in the mock's data" },
      { value: 'still', means: 'the status never changes on its own' },
      {
        value: 'reprocessedOnMove',
        means:
          'a file in processing becomes ready or error on its own; a moved file is processed again, for one second',
      },
    ],
    default: 'byClock',
    cost: 'A client that waits until a file is ready waits forever, or reads a file that is no longer ready.',
    question: "When does a file's status change?",
  },
} satisfies Rooms;
