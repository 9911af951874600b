import { isReachable } from '../shared/control.ts';
import { download } from '../shared/copy.tsx';
import { ConfirmButton, Notice } from '../shared/parts.tsx';
import { UndoButton, UndoTrouble } from '../shared/undo.tsx';
import { goTo } from '../shared/url-state.ts';
import { chosenWorld, type World } from '../shared/worlds.ts';
import { actionError, deleteOrganization, readStateText, resetState, run } from './actions.ts';
import { LoadButton } from './load-button.tsx';
import { OpenWorldButton } from './organizations.tsx';
import { liveProblem, liveState, loadedAt, refresh, staleReason } from './records.ts';

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
        <Freshness />
      </div>
      <UndoTrouble />
      <Errors />
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

/** Whether changes show by themselves, and a button for when they do not. */
function Freshness() {
  const isLive = liveState.value === 'live' && staleReason.value === '';
  return (
    <>
      <span class={isLive ? 'fresh is-live' : 'fresh'}>
        {isLive ? 'Live' : loadedAt.value === '' ? 'Loading' : `As of ${loadedAt.value}`}
      </span>
      <button type="button" onClick={() => void refresh()}>
        Refresh
      </button>
    </>
  );
}

function Errors() {
  return (
    <>
      {actionError.value !== '' && <Notice kind="error">{actionError.value}</Notice>}
      {/* Where the mock does not answer at all, the frame says so. */}
      {staleReason.value !== '' && isReachable.value && (
        <Notice kind="error">What you see may be out of date. It could not be refreshed: {staleReason.value}</Notice>
      )}
      {liveProblem.value !== '' && (
        <Notice kind="note">
          Changes by others do not show by themselves: {liveProblem.value} Press Refresh to see them.
        </Notice>
      )}
    </>
  );
}
