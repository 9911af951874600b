import { download } from '../shared/copy.tsx';
import { Freshness, FreshnessProblems } from '../shared/freshness.tsx';
import { ConfirmButton, Notice } from '../shared/parts.tsx';
import { chosenSandbox, type Sandbox } from '../shared/sandboxes.ts';
import { UndoButton, UndoTrouble } from '../shared/undo.tsx';
import { goTo } from '../shared/url-state.ts';
import { actionError, deleteOrganization, readStateText, resetState, run } from './actions.ts';
import { LoadButton } from './load-button.tsx';
import { OpenSandboxButton } from './organizations.tsx';
import { followed } from './records.ts';

/** The actions on the whole state, of the chosen organization or of all, and how fresh it is. */
export function StateToolbar() {
  const sandbox = chosenSandbox.value;
  return (
    <div class="toolbar">
      <div class="row">
        <UndoButton />
        <ConfirmButton
          label="Reset"
          confirm={`Reset ${sandbox?.name ?? 'everything'} to the seed?`}
          onConfirm={() => run(resetState)}
        />
        <button type="button" onClick={() => run(() => saveAs('snapshot'))}>
          Save snapshot
        </button>
        <LoadButton />
        <button type="button" onClick={() => run(() => saveAs('seed'))}>
          Save as seed
        </button>
        {sandbox === undefined ? (
          <OpenSandboxButton />
        ) : (
          <DeleteOrganizationButton key={sandbox.id} sandbox={sandbox} />
        )}
        <Freshness of={followed} />
      </div>
      <UndoTrouble />
      {actionError.value !== '' && <Notice kind="error">{actionError.value}</Notice>}
      <FreshnessProblems of={followed} />
    </div>
  );
}

function DeleteOrganizationButton({ sandbox: { id, name } }: { sandbox: Sandbox }) {
  const remove = async () => {
    await deleteOrganization(id, name);
    goTo('state');
  };
  return (
    <ConfirmButton
      label="Delete sandbox"
      confirm={`Delete ${name} and everything in it?`}
      onConfirm={() => run(remove)}
    />
  );
}

async function saveAs(kind: 'snapshot' | 'seed'): Promise<void> {
  const { file, text } = await readStateText(kind);
  download(file, text);
}
