import { useSignal } from '@preact/signals';
import { Dialog } from '../shared/dialog.tsx';
import { Empty, Notice } from '../shared/parts.tsx';
import { linkTo } from '../shared/url-state.ts';
import { type World, worlds } from '../shared/worlds.ts';
import { openWorld } from './actions.ts';
import type { Section } from './records.ts';

const columns: readonly (readonly [Section, string, 'agents' | 'drives' | 'mcpServers'])[] = [
  ['agents', 'Agents', 'agents'],
  ['drives', 'Drives', 'drives'],
  ['mcp-servers', 'MCP servers', 'mcpServers'],
];

/** All organizations with what they hold. Each number leads there. */
export function Organizations() {
  if (worlds.value.length === 0) return <NoOrganization />;
  return (
    <div class="organizations">
      <table aria-label="Organizations">
        <thead>
          <tr>
            <th>Organization</th>
            {columns.map(([section, name]) => (
              <th key={section} class="count">
                {name}
              </th>
            ))}
            <th class="count">Keys</th>
          </tr>
        </thead>
        <tbody>
          {worlds.value.map((world) => (
            <tr key={world.id}>
              <OrganizationCells world={world} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function OrganizationCells({ world: { id, name, kind, holds, keyIds } }: { world: World }) {
  const counts = columns.map(([section, label, field]) => [section, label, holds[field]] as const);
  return (
    <>
      <th scope="row">
        <a href={linkTo('state', 'agents', { world: id })}>{name}</a>{' '}
        {kind === 'world' && <span class="tag plain">world</span>}
      </th>
      {[...counts, ['keys', 'Keys', keyIds.length] as const].map(([section, label, count]) => (
        <td key={section} class="count">
          <a href={linkTo('state', section, { world: id })} aria-label={`${label} of ${name}: ${count}`}>
            {count}
          </a>
        </td>
      ))}
    </>
  );
}

function NoOrganization() {
  return (
    <Empty title="There is no organization">
      <p>Press Reset to go back to the seed, load a snapshot, or open a world.</p>
    </Empty>
  );
}

/** Opens a world: a copy of an organization of the seed, or an empty one. */
export function OpenWorldButton() {
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        Open a world
      </button>
      <Dialog
        title="Open a world"
        isOpen={isOpen.value}
        onClose={() => {
          isOpen.value = false;
        }}
      >
        <WorldForm
          onDone={() => {
            isOpen.value = false;
          }}
        />
      </Dialog>
    </>
  );
}

const empty = ' ';

function WorldForm({ onDone }: { onDone(): void }) {
  const error = useSignal('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const copied = String(form.get('copyOf'));
    openWorld(String(form.get('name')).trim(), copied === empty ? null : copied).then(onDone, (problem: Error) => {
      error.value = problem.message;
    });
  };
  return (
    <form class="token" onSubmit={submit}>
      <p>An organization of its own, with a key of its own.</p>
      {error.value !== '' && <Notice kind="error">{error.value}</Notice>}
      <label>
        Name, if you like
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
        {worlds.value
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
