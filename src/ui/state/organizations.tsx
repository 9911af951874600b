import { useSignal } from '@preact/signals';
import { Dialog } from '../shared/dialog.tsx';
import { Empty, Notice } from '../shared/parts.tsx';
import { type Sandbox, sandboxes } from '../shared/sandboxes.ts';
import { linkTo } from '../shared/url-state.ts';
import { openSandbox } from './actions.ts';
import type { Section } from './records.ts';

const columns: readonly (readonly [Section, string, 'agents' | 'drives' | 'mcpServers'])[] = [
  ['agents', 'Agents', 'agents'],
  ['drives', 'Drives', 'drives'],
  ['mcp-servers', 'MCP servers', 'mcpServers'],
];

/** All organizations and their counts, each with a link. */
export function Organizations() {
  if (sandboxes.value.length === 0) return <NoOrganization />;
  return (
    <div class="organizations">
      <table aria-label="Sandboxes">
        <thead>
          <tr>
            <th>Sandbox</th>
            {columns.map(([section, name]) => (
              <th key={section} class="count">
                {name}
              </th>
            ))}
            <th class="count">Keys</th>
          </tr>
        </thead>
        <tbody>
          {sandboxes.value.map((sandbox) => (
            <tr key={sandbox.id}>
              <OrganizationCells sandbox={sandbox} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function OrganizationCells({ sandbox: { id, name, kind, holds, keyIds } }: { sandbox: Sandbox }) {
  const counts = columns.map(([section, label, field]) => [section, label, holds[field]] as const);
  return (
    <>
      <th scope="row">
        <a href={linkTo('state', 'agents', { sandbox: id })}>{name}</a>{' '}
        {kind === 'sandbox' && <span class="tag plain">opened</span>}
      </th>
      {[...counts, ['keys', 'Keys', keyIds.length] as const].map(([section, label, count]) => (
        <td key={section} class="count">
          <a href={linkTo('state', section, { sandbox: id })} aria-label={`${label} of ${name}: ${count}`}>
            {count}
          </a>
        </td>
      ))}
    </>
  );
}

function NoOrganization() {
  return (
    <Empty title="There is no sandbox">
      <p>Press Reset to go back to the seed, load a snapshot, or open a sandbox.</p>
    </Empty>
  );
}

/** Opens a sandbox: a copy of an organization of the seed, or an empty one. */
export function OpenSandboxButton() {
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        Open a sandbox
      </button>
      <Dialog
        title="Open a sandbox"
        isOpen={isOpen.value}
        onClose={() => {
          isOpen.value = false;
        }}
      >
        <SandboxForm
          onDone={() => {
            isOpen.value = false;
          }}
        />
      </Dialog>
    </>
  );
}

const empty = ' ';

function SandboxForm({ onDone }: { onDone(): void }) {
  const error = useSignal('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const copied = String(form.get('copyOf'));
    openSandbox(String(form.get('name')).trim(), copied === empty ? null : copied).then(onDone, (problem: Error) => {
      error.value = problem.message;
    });
  };
  return (
    <form class="token" onSubmit={submit}>
      <p>A separate set of data with its own API key.</p>
      {error.value !== '' && <Notice kind="error">{error.value}</Notice>}
      <label>
        Name (optional)
        <input name="name" autocomplete="off" />
      </label>
      <CopyChoice />
      <button type="submit" class="primary">
        Open
      </button>
    </form>
  );
}

function CopyChoice() {
  return (
    <label>
      Copy of
      <select name="copyOf">
        {sandboxes.value
          .filter(({ kind }) => kind === 'seed')
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {name}, as in the seed
            </option>
          ))}
        <option value={empty}>Nothing: it starts empty</option>
      </select>
    </label>
  );
}
