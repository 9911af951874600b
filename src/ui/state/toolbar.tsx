import { download } from '../shared/copy.tsx';
import { Freshness, FreshnessProblems } from '../shared/freshness.tsx';
import { ConfirmButton, Notice } from '../shared/parts.tsx';
import { UndoButton, UndoTrouble } from '../shared/undo.tsx';
import { goTo } from '../shared/url-state.ts';
import { chosenWorld, type World } from '../shared/worlds.ts';
import { actionError, deleteOrganization, readStateText, resetState, run } from './actions.ts';
import { LoadButton } from './load-button.tsx';
import { OpenWorldButton } from './organizations.tsx';
import { followed } from './records.ts';

/** What can be done with the whole state, of the chosen organization or of all, and how fresh it is. */
export function StateToolbar() {
  const world = chosenWorld.value;
  return (
    <div class="toolbar">
      <div class="row">
        <UndoButton />
        <ConfirmButton
          label="Reset"
          confirm={`Reset ${world?.name ?? 'everything'} to the seed?`}
          onConfirm={() => run(resetState)}
        />
        <button type="button" onClick={() => run(() => saveAs('snapshot'))}>
          Save snapshot
        </button>
        <LoadButton />
        <button type="button" onClick={() => run(() => saveAs('seed'))}>
          Save as seed
        </button>
        {world === undefined ? <OpenWorldButton /> : <DeleteOrganizationButton key={world.id} world={world} />}
        <Freshness of={followed} />
      </div>
      <UndoTrouble />
      {actionError.value !== '' && <Notice kind="error">{actionError.value}</Notice>}
      <FreshnessProblems of={followed} />
    </div>
  );
}

function DeleteOrganizationButton({ world: { id, name } }: { world: World }) {
  const remove = async () => {
    await deleteOrganization(id, name);
    goTo('state');
  };
  return (
    <ConfirmButton
      label="Delete organization"
      confirm={`Delete ${name} with all in it?`}
      onConfirm={() => run(remove)}
    />
  );
}

async function saveAs(kind: 'snapshot' | 'seed'): Promise<void> {
  const { file, text } = await readStateText(kind);
  download(file, text);
}
