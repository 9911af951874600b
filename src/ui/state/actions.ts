import { signal } from '@preact/signals';
import { announce } from '../shared/announce.tsx';
import { callControl, readControl } from '../shared/control.ts';
import { chooseSandbox, chosenSandbox } from '../shared/sandboxes.ts';
import { type Fields, placeOf } from '../shared/state-parts.ts';
import { changeState } from '../shared/undo-state.ts';
import { changeOf, isFields } from './record-change.ts';
import { refresh } from './records.ts';

/** The error of the latest change; empty if there is none. */
export const actionError = signal('');

/** Makes a change, then shows the new state. Its error is shown above the records. */
export async function run(act: () => Promise<unknown>): Promise<void> {
  actionError.value = '';
  try {
    await act();
  } catch (error) {
    actionError.value = (error as Error).message;
  }
  await refresh();
}

interface RecordChange {
  /** What is done, in words. */
  what: string;
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** The path relative to the chosen organization. */
  path: string;
  body?: unknown;
  /** The place of the record that changes, if it is not the path. */
  place?: (made: Fields) => string;
}

/** Changes one record of the chosen organization, so that it can be undone. Returns what the admin API returns. */
export async function changeRecord({ what, method, path, body, place = () => path }: RecordChange): Promise<Fields> {
  const organization = chosenSandbox.value?.id ?? '';
  const own = placeOf('organizations', organization);
  const made = await changeState({
    ...{ what, organization },
    place: (result: Fields) => own + place(result).replace('/mcp-servers/', '/mcpServers/'),
    act: async () => {
      const response = await callControl(own + path, { method, ...(body === undefined ? {} : { body }) });
      return response.status === 204 ? {} : ((await response.json()) as Fields);
    },
  });
  announce(`${what}: done.`);
  await refresh();
  return made;
}

/** Sends the differences. The admin API refuses changes to fixed fields and names them. */
export async function saveRecord(what: string, path: string, base: unknown, value: unknown): Promise<void> {
  if (!isFields(value) || !isFields(base)) throw new Error('The record must be an object: { … }.');
  await changeRecord({ what, method: 'PATCH', path, body: changeOf(base, value) });
}

function scope(): { organization: string | undefined; query: string; name: string } {
  const sandbox = chosenSandbox.value;
  if (sandbox === undefined) return { organization: undefined, query: '', name: 'everything' };
  return { organization: sandbox.id, query: `?organization=${encodeURIComponent(sandbox.id)}`, name: sandbox.name };
}

/** Resets the chosen organization, or all, to the seed. */
export async function resetState(): Promise<void> {
  const { organization, query, name } = scope();
  const act = () => callControl(`/reset${query}`, { method: 'POST' });
  await changeState({ what: `Reset ${name}`, organization, hasSettings: true, act });
  announce(`Reset ${name}.`);
}

/** The state of the chosen organization, or of all, as the text of a file. */
export async function readStateText(kind: 'snapshot' | 'seed'): Promise<{ file: string; text: string }> {
  const { query, name } = scope();
  const text = await (await callControl(`/${kind}${query}`)).text();
  const safeName = name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '');
  return { file: `${kind}${query === '' ? '' : `-${safeName}`}.json`, text };
}

/** Loads a snapshot, of one organization or of all; the snapshot says which. */
export async function loadSnapshot(state: Fields, file: string): Promise<void> {
  const organization = 'organizations' in state ? undefined : String(state.id);
  const query = organization === undefined ? '' : `?organization=${encodeURIComponent(organization)}`;
  const act = () => callControl(`/snapshot${query}`, { method: 'PUT', body: state });
  await changeState({ what: `Load ${file}`, organization, hasSettings: true, act });
  announce(`Loaded ${file}.`);
}

/** Opens a sandbox and shows it. */
export async function openSandbox(name: string, copyOf: string | null): Promise<void> {
  const body = { ...(name === '' ? {} : { name }), copyOf };
  const act = () => readControl<{ organization: { id: string } }>('/organizations', { method: 'POST', body });
  const what = `Open ${name === '' ? 'a sandbox' : name}`;
  const { organization } = await changeState({ what, act });
  await refresh();
  chooseSandbox(organization.id);
}

/** Removes an organization with everything in it. */
export async function deleteOrganization(id: string, name: string): Promise<void> {
  const act = () => callControl(placeOf('organizations', id), { method: 'DELETE' });
  await changeState({ what: `Delete ${name}`, hasSettings: true, act });
  announce(`Deleted ${name}.`);
  chooseSandbox('');
}
