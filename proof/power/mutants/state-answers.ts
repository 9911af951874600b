import type { Break, Mutant } from '../mutant.ts';
import { idIn, onCallersOf, refusal, withAnswered } from './patch.ts';
import { idsOf, mcpServers } from './patch-store.ts';
import { table, wireTable } from './table.ts';
import { changeAnswer, isSuccess, withBody } from './wire-faults.ts';

/** Changes the answer to each tree deletion that is carried out. */
function changeDeletions(change: (answer: Record<string, unknown>, count: number) => object): Break {
  return (engine) => {
    let count = 0;
    onCallersOf('deleteDriveTree', (call, sound) =>
      withAnswered(sound.answer(call), (answer) => ({ ...answer, ...change(answer, ++count) })),
    )(engine);
  };
}

/** What a deletion is answered with. */
const deletions: readonly Mutant[] = [
  ...table('state', 'engine', {
    'deleteDriveTree.document-count-is-not-negative: document-count-is-negative': [
      'documentCount of a deletion is the change of the number of files: it is negative.',
      changeDeletions(({ documentCount }) => ({ documentCount: -Number(documentCount) })),
    ],
    'deleteDriveTree.count-of-nothing: a-directory-that-is-not-there-counts': [
      'A deletion of a directory that is not there is answered with a documentCount of 1.',
      changeDeletions(({ documentCount }) => ({ documentCount: documentCount === 0 ? 1 : documentCount })),
      { 'treePath.missing': 'emptyJob' },
    ],
    'deleteDriveTree.count-fits: document-count-is-always-zero': [
      'documentCount of every deletion is 0.',
      changeDeletions(() => ({ documentCount: 0 })),
    ],
    'deleteDriveTree.count-fits: document-count-adds-up': [
      'documentCount counts all deletions so far.',
      (engine) => {
        let sum = 0;
        changeDeletions(({ documentCount }) => {
          sum += Number(documentCount);
          return { documentCount: sum };
        })(engine);
      },
    ],
    'deleteDriveTree.job-id-is-not-empty: job-ids-are-empty': [
      'jobId of every deletion is an empty string.',
      changeDeletions(() => ({ jobId: '' })),
    ],
    'deleteDriveTree.job-ids-differ: every-second-job-has-the-id-of-the-one-before': [
      'jobId counts on with every second deletion only.',
      changeDeletions((_, count) => ({ jobId: `job-${Math.ceil(count / 2)}` })),
    ],
  }),
  ...wireTable('shape', {
    'deleteDriveTree.fields-present: a-deletion-is-answered-without-a-body': [
      'A deletion is answered with 204 and no body.',
      () => changeAnswer(isSuccess, (answer) => withBody({ ...answer, status: 204 }, '')),
    ],
  }),
];

/** What the tools of an MCP server are. */
const tools: readonly Mutant[] = table('state', 'engine', {
  'listMcpServerTools.created-server: a-new-mcp-server-is-not-found': [
    'The tools of an MCP server that was registered since the start are answered with 404.',
    (engine) => {
      const seeded = idsOf(engine, mcpServers);
      onCallersOf('listMcpServerTools', (call, sound, _, self) =>
        seeded.has(idIn(call, 'mcpServerId')) ? sound.answer(call) : refusal(self, 'mcpServerNotFound'),
      )(engine);
    },
  ],
  'listMcpServerTools.same-tools-each-time: tools-add-up': [
    'Each reading of the tools of an MCP server shows those of all readings before it as well.',
    (engine) => {
      const kept = new Map<string, unknown[]>();
      onCallersOf('listMcpServerTools', (call, sound) =>
        withAnswered(sound.answer(call), (answer) => {
          const id = idIn(call, 'mcpServerId');
          const all = [...(kept.get(id) ?? []), ...(answer.tools as unknown[])];
          kept.set(id, all);
          return { ...answer, tools: all };
        }),
      )(engine);
    },
  ],
});

export const stateOfAnswers: readonly Mutant[] = [...deletions, ...tools];
