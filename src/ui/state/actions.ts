import { createAction } from '../shared/action.tsx';
import { announce } from '../shared/announce.tsx';
import { callControl, readControl, scopeOf } from '../shared/control.ts';
import { download } from '../shared/copy.tsx';
import { type Fields, isFields, parseJson } from '../shared/json.ts';
import { chooseSandbox } from '../shared/sandboxes.ts';
import { placeOf } from '../shared/state-undo.ts';
import { changeState } from '../shared/undo-state.ts';
import { records, shownSandbox, shownSection } from './records.ts';

/** Makes a change, then shows the new state. Its error is shown above the records. */
export const { run, Problem } = createAction(() => records.refresh());

interface RecordChange {
  /** What is done, in words. */
  what: string;
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** The path relative to the sandbox. */
  path: string;
  body?: unknown;
  /** The place of the record that changes, if it is not the path. */
  place?: (made: Fields) => string;
}

/** Changes one record of the sandbox, so that it can be undone. Returns what the admin API returns. */
export async function changeRecord({ what, method, path, body, place = () => path }: RecordChange): Promise<Fields> {
  const organization = shownSandbox.value?.id ?? '';
  const own = placeOf('organizations', organization);
  const made = await changeState({
    ...{ what, organization },
    place: (result: Fields) => own + place(result).replace('/mcp-servers/', '/mcpServers/'),
    act: () => readControl<Fields>(own + path, { method, body }),
  });
  announce(`${what}: done.`);
  await records.refresh();
  return made;
}

/** On what the actions on the whole state act: everything in the tab of the sandboxes, else the one that is shown. */
export function scope(): { organization: string | undefined; name: string } {
  const sandbox = shownSandbox.value;
  if (sandbox === undefined || shownSection.value === 'sandboxes')
    return { organization: undefined, name: 'everything' };
  return { organization: sandbox.id, name: sandbox.name };
}

export async function resetState(): Promise<void> {
  const { organization, name } = scope();
  const act = () => callControl(`/reset${scopeOf(organization)}`, { method: 'POST' });
  await changeState({ what: `Reset ${name}`, organization, hasSettings: true, act });
  announce(`Reset ${name}.`);
}

export async function saveAs(kind: 'snapshot' | 'seed'): Promise<void> {
  const { organization, name } = scope();
  const text = await (await callControl(`/${kind}${scopeOf(organization)}`)).text();
  const safeName = name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '');
  download(`${kind}${organization === undefined ? '' : `-${safeName}`}.json`, text);
}

export interface ReadSnapshot {
  state: Fields;
  file: string;
  /** The sandbox that it replaces; undefined for all. */
  organization: string | undefined;
}

export async function readSnapshot(file: File): Promise<ReadSnapshot> {
  let state: unknown;
  try {
    state = parseJson(await file.text());
  } catch (error) {
    throw new Error(`${file.name}: ${(error as Error).message}`);
  }
  if (!isFields(state) || !('revokedKeys' in state || typeof state.id === 'string'))
    throw new Error(
      `${file.name} is not a snapshot. Choose a file saved with "Save snapshot"; use a seed with --seed.`,
    );
  return { state, file: file.name, organization: 'organizations' in state ? undefined : String(state.id) };
}

export async function loadSnapshot({ state, file, organization }: ReadSnapshot): Promise<void> {
  const act = () => callControl(`/snapshot${scopeOf(organization)}`, { method: 'PUT', body: state });
  await changeState({ what: `Load ${file}`, organization, hasSettings: true, act });
  announce(`Loaded ${file}.`);
}

export async function openSandbox(name: string, copyOf: string | null): Promise<void> {
  const body = { ...(name === '' ? {} : { name }), copyOf };
  const act = () => readControl<{ organization: { id: string } }>('/organizations', { method: 'POST', body });
  const { organization } = await changeState({ what: `Open ${name === '' ? 'a sandbox' : name}`, act });
  await records.refresh();
  chooseSandbox(organization.id);
}

export async function deleteSandbox(id: string, name: string): Promise<void> {
  const act = () => callControl(placeOf('organizations', id), { method: 'DELETE' });
  await changeState({ what: `Delete ${name}`, hasSettings: true, act });
  announce(`Deleted ${name}.`);
  chooseSandbox('');
}
