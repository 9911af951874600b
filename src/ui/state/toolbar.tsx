import { useRef } from 'preact/hooks';
import { download } from '../shared/copy.tsx';
import { Freshness, FreshnessProblems } from '../shared/freshness.tsx';
import { jsonErrorWords, parseJson } from '../shared/json-error.ts';
import { ConfirmButton, Notice } from '../shared/parts.tsx';
import { UndoButton, UndoTrouble } from '../shared/undo.tsx';
import { goTo } from '../shared/url-state.ts';
import { chosenWorld, type World } from '../shared/worlds.ts';
import { actionError, deleteOrganization, loadSnapshot, readStateText, resetState, run } from './actions.ts';
import { OpenWorldButton } from './organizations.tsx';
import { isFields } from './record-change.ts';
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
