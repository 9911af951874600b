import type { FileFixture } from '../../../conformance/settings.ts';
import { createDrive } from '../../../src/domain/drives.ts';
import { moveFile } from '../../../src/domain/files.ts';
import type { Mock } from '../../../src/index.ts';
import { fixturesOf } from '../fixtures.ts';
import { organizationsOf, replaceAgent, treesOf } from '../mutants/patch-store.ts';
import type { Oddity } from './oddity.ts';

/** Someone else does something every few milliseconds. */
function meanwhile(everyMs: number, act: (mock: Mock, count: number) => void): (mock: Mock) => () => void {
  return (mock) => {
    let count = 0;
    const timer = setInterval(() => act(mock, ++count), everyMs);
    return () => clearInterval(timer);
  };
}

function createDrives({ engine }: Mock, count: number): void {
  for (const organization of organizationsOf(engine)) createDrive(organization, `Someone's drive ${count}`);
}

function editAgents({ engine }: Mock, count: number): void {
  for (const organization of organizationsOf(engine)) {
    for (const agent of organization.agents.all()) {
      const updatedAtMs = agent.updatedAtMs + count;
      replaceAgent(organization, agent, { description: `Draft ${count}`, hasChanges: count % 2 === 0, updatedAtMs });
    }
  }
}

/** Someone moves one of the files that the user vouches for: by its place in `fixtures.files`. */
function moveFileAt(place: number): (mock: Mock, count: number) => void {
  let fixture: FileFixture | undefined;
  return (mock, count) => {
    fixture ??= fixturesOf(mock).files?.[place];
    const drive = treesOf(mock.engine).find(({ driveId }) => driveId === fixture?.driveId);
    const file = drive?.tree.find(fixture?.id ?? '');
    if (drive === undefined || file === undefined) return;
    moveFile(drive.organization, drive.driveId, file, `/someone/${count}`);
  };
}

/** Other clients are at work during the run. */
export const others: readonly Oddity[] = [
  {
    id: 'others-create-drives',
    why: 'Section 5.3: a key is not the only client of its organization.',
    prepare: meanwhile(15, createDrives),
  },
  {
    id: 'others-create-drives-newest-first',
    why: 'Section 4.4: no order is shown; a key is not the only client of its organization.',
    profile: { listOrder: 'newestFirst' },
    prepare: meanwhile(15, createDrives),
  },
  {
    id: 'others-edit-agents',
    why: 'Section 5.3: a key is not the only client of its organization.',
    prepare: meanwhile(7, editAgents),
  },
  {
    id: 'others-move-another-file',
    why: 'Section 5.3: a key is not the only client of its organization.',
    prepare: meanwhile(9, moveFileAt(1)),
  },
  {
    id: 'others-move-the-same-file',
    why: 'Section 5.3: a key is not the only client of its organization.',
    prepare: meanwhile(150, moveFileAt(0)),
  },
];
