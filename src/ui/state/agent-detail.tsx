import { ConfirmButton } from '../shared/parts.tsx';
import { placeOf } from '../shared/state-parts.ts';
import { goTo } from '../shared/url-state.ts';
import { changeRecord, run, saveRecord } from './actions.ts';
import { Detail } from './detail.tsx';
import { RecordEditor } from './record-editor.tsx';
import type { AgentRecord } from './record-types.ts';
import { timeWords } from './tree.ts';

/** One agent: its revisions, which one is published, and its record. */
export function AgentDetail({ agent }: { agent: AgentRecord }) {
  const { id, name } = agent;
  const path = placeOf('agents', id);
  return (
    <Detail title={name} kind="Agent" id={id}>
      <div class="row">
        <button
          type="button"
          onClick={() =>
            run(() =>
              changeRecord({
                what: `Add a revision to ${name}`,
                method: 'POST',
                path: `${path}/revisions`,
                body: {},
                place: () => path,
              }),
            )
          }
        >
          Add a revision
        </button>
        <ConfirmButton
          label="Delete"
          confirm={`Delete ${name}?`}
          onConfirm={() =>
            run(async () => {
              await changeRecord({ what: `Delete the agent ${name}`, method: 'DELETE', path });
              goTo('state', 'agents');
            })
          }
        />
      </div>
      <Revisions agent={agent} path={path} />
      <RecordEditor
        label="Record as JSON"
        value={agent}
        action="Save"
        onSave={(value, base) => saveRecord(`Change the agent ${name}`, path, base, value)}
      />
    </Detail>
  );
}

function Revisions({ agent, path }: { agent: AgentRecord; path: string }) {
  const { name, revisions, activeRevisionId } = agent;
  const newest = revisions.at(-1)?.id;
  const publish = (id: string | null, what: string) =>
    run(() =>
      changeRecord({
        what,
        method: 'PATCH',
        path,
        body: { activeRevisionId: id, hasChanges: newest !== undefined && newest !== id },
      }),
    );
  return (
    <>
      <h4>Revisions</h4>
      {revisions.length === 0 && <p class="muted">None. Add one, so that the agent can be published.</p>}
      <ol class="revisions">
        {revisions.map(({ id, createdAt }, index) => {
          const isPublished = id === activeRevisionId;
          return (
            <li key={id}>
              <div class="row">
                <span>
                  {index + 1}. {timeWords(createdAt)}
                </span>
                {isPublished && <span class="tag good">published</span>}
                <button
                  type="button"
                  aria-label={`${isPublished ? 'Unpublish' : 'Publish'} revision ${index + 1}`}
                  onClick={() =>
                    isPublished
                      ? publish(null, `Unpublish ${name}`)
                      : publish(id, `Publish revision ${index + 1} of ${name}`)
                  }
                >
                  {isPublished ? 'Unpublish' : 'Publish'}
                </button>
                <small class="mono">{id}</small>
              </div>
            </li>
          );
        })}
      </ol>
    </>
  );
}
