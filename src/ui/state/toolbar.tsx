import { useRef } from 'preact/hooks';
import { isReachable } from '../shared/control.ts';
import { download } from '../shared/copy.tsx';
import { jsonErrorWords, parseJson } from '../shared/json-error.ts';
import { ConfirmButton, Notice } from '../shared/parts.tsx';
import { UndoButton, UndoTrouble } from '../shared/undo.tsx';
import { goTo } from '../shared/url-state.ts';
import { chosenWorld, type World } from '../shared/worlds.ts';
import { actionError, deleteOrganization, loadSnapshot, readStateText, resetState, run } from './actions.ts';
import { OpenWorldButton } from './organizations.tsx';
import { isFields } from './record-change.ts';
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

function LoadButton() {
  const input = useRef<HTMLInputElement>(null);
  const load = async () => {
    const file = input.current?.files?.[0];
    if (file === undefined) return;
    await run(() => loadFile(file));
    // The same file may be chosen again.
    if (input.current !== null) input.current.value = '';
  };
  return (
    <>
      <button type="button" onClick={() => input.current?.click()}>
        Load snapshot
      </button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label="Snapshot to load"
        hidden
        onChange={() => void load()}
      />
    </>
  );
}

async function loadFile(file: File): Promise<void> {
  const parsed = parseJson(await file.text());
  if ('error' in parsed) throw new Error(`${file.name} is no JSON. ${jsonErrorWords(parsed.error)}`);
  const { value } = parsed;
  if (!isFields(value) || !('revokedKeys' in value || typeof value.id === 'string'))
    throw new Error(`${file.name} is no snapshot. Choose a file that "Save snapshot" made; a seed goes to --seed.`);
  await loadSnapshot(value, file.name);
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
