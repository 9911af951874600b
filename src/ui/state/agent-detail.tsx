import { placeOf } from '../shared/state-parts.ts';
import { changeRecord, run, saveRecord } from './actions.ts';
import { DeleteButton, Detail } from './detail.tsx';
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
        <DeleteButton what={`the agent ${name}`} confirm={`Delete ${name}?`} path={path} next="agents" />
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
  return (
    <>
      <h4>Revisions</h4>
      {agent.revisions.length === 0 && <p class="muted">None. Add one, so that the agent can be published.</p>}
      <ol class="revisions">
        {agent.revisions.map(({ id }, index) => (
          <li key={id} class="row">
            <Revision agent={agent} index={index} path={path} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Revision({ agent, index, path }: { agent: AgentRecord; index: number; path: string }) {
  const { name, revisions, activeRevisionId } = agent;
  const { id = '', createdAt = '' } = revisions[index] ?? {};
  const isPublished = id === activeRevisionId;
  const verb = isPublished ? 'Unpublish' : 'Publish';
  const body = isPublished
    ? { activeRevisionId: null, hasChanges: true }
    : { activeRevisionId: id, hasChanges: index < revisions.length - 1 };
  const what = `${verb} revision ${index + 1} of ${name}`;
  return (
    <>
      <span>
        {index + 1}. {timeWords(createdAt)}
      </span>
      {isPublished && <span class="tag good">published</span>}
      <button
        type="button"
        aria-label={`${verb} revision ${index + 1}`}
        onClick={() => run(() => changeRecord({ what, method: 'PATCH', path, body }))}
      >
        {verb}
      </button>
      <small class="mono">{id}</small>
    </>
  );
}
