import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useAction } from '../shared/action.tsx';
import { Button } from '../shared/button.tsx';
import { index } from '../shared/control.ts';
import { CopyButton } from '../shared/copy.tsx';
import { Dialog, DialogButton, Menu } from '../shared/dialog.tsx';
import { bound, FileButton, FindField, Select, TextField } from '../shared/form.tsx';
import { LiveMark } from '../shared/live-mark.tsx';
import { ConfirmButton, Empty } from '../shared/parts.tsx';
import { nameOfSandbox, sandboxes } from '../shared/sandboxes.ts';
import { type Column, orderOf, type Row, Table } from '../shared/table.tsx';
import { Undo, undoneCount } from '../shared/undo.tsx';
import { linkTo, place, replacePlace, replaceQuery } from '../shared/url-state.ts';
import { shortened } from '../shared/words.ts';
import {
  loadSnapshot,
  openSandbox,
  Problem,
  type ReadSnapshot,
  readSnapshot,
  resetState,
  run,
  saveAs,
  scope,
} from './actions.ts';
import { agentColumns, driveColumns, keyColumns, sandboxColumns, serverColumns } from './columns.tsx';
import { AddAgent, IssueKey, SelectedRecord } from './details.tsx';
import {
  followChanges,
  linkToSection,
  openDrives,
  records,
  type Section,
  sections,
  selectedPlace,
  shownData,
  shownSandbox,
  shownSection,
  steps,
} from './records.ts';
import { driveNodes, matching, rowsOf, type TreeItem, type TreeNode } from './tree.ts';

/** The state of the mock: what its sandboxes hold, to view and change. */
export function StateView() {
  const [section, drive] = steps.value;
  useEffect(followChanges, []);
  useEffect(() => {
    void records.refresh();
  }, [shownSandbox.value?.id, shownSection.value, section === 'drives' && drive, undoneCount.value]);
  const isSelected = steps.value.length > 1;
  const shown = { sandbox: shownSandbox.value?.id, at: selectedPlace.value };
  const before = useRef(shown);
  useEffect(() => {
    const { sandbox, at } = before.current;
    before.current = shown;
    // A record of one sandbox is in no other one.
    if (sandbox !== undefined && sandbox !== shown.sandbox && at === shown.at && isSelected && section !== 'sandboxes')
      replacePlace('state', shownSection.value);
  }, [shown.sandbox, shown.at]);
  return (
    <div class="view state">
      <Toolbar />
      <Tabs />
      <div class="panes">
        <div class="list">
          <List />
        </div>
        {isSelected && <SelectedRecord key={selectedPlace.value} />}
      </div>
    </div>
  );
}

function Tabs() {
  const { holds, keyIds = [] } = shownSandbox.value ?? {};
  const { organization, name } = scope();
  const { baseUrl = '' } = index.value ?? {};
  const counts: Readonly<Record<Section, number | undefined>> = {
    ...{ sandboxes: sandboxes.value.length, agents: holds?.agents, drives: holds?.drives },
    ...{ 'mcp-servers': holds?.mcpServers, keys: keyIds.length },
  };
  return (
    <nav class="tabs" aria-label="Parts of the state">
      {(Object.keys(sections) as Section[]).map((each) => (
        <a key={each} href={linkToSection(each)} aria-current={each === shownSection.value ? 'page' : undefined}>
          {sections[each]} <small>{counts[each]}</small>
        </a>
      ))}
      <span class="muted">{organization !== undefined && `of ${name}`}</span>
      <span class="pair long">
        <code>{baseUrl}</code>
        <CopyButton what="base URL" label="Copy" text={() => baseUrl} />
      </span>
    </nav>
  );
}

/** What a reset covers, as the admin API says of `reset`. */
const resetWords = {
  all: 'Restores the data of the seed, the clock and the latency; removes opened sandboxes, all faults, the profiles of individual sandboxes, and all requests in Traffic, which Undo does not bring back. The choices for all sandboxes stay.',
  one: 'Restores its data and keys; removes its faults, its latency, its own profile, and its requests in Traffic, which Undo does not bring back.',
};

/** The search, and the actions on everything, or on the sandbox that is shown. */
function Toolbar() {
  const { name, organization } = scope();
  return (
    <div class="toolbar">
      <FindField placeholder="Find by name" />
      <AddToSection section={shownSection.value} />
      <Menu label="Snapshot">
        <Button label="Save snapshot" onClick={() => run(() => saveAs('snapshot'))} />
        <Button label="Save as seed" onClick={() => run(() => saveAs('seed'))} />
        <FileButton
          label="Load snapshot"
          name="Snapshot to load"
          accept=".json,application/json"
          onFile={(file) => run(() => takeSnapshot(file))}
        />
      </Menu>
      <LoadQuestion />
      <ConfirmButton
        label={`Reset ${name}`}
        confirm={`Reset ${shortened(name)} to the seed?`}
        about={resetWords[organization === undefined ? 'all' : 'one']}
        onConfirm={() => run(resetState)}
      />
      {/* It shrinks after each use: nothing dangerous may come under the pointer then. */}
      <Undo />
      <LiveMark of={records} />
      <Problem />
    </div>
  );
}

/** A snapshot that would replace more than what is shown: the page asks first. */
const waiting = signal<ReadSnapshot | undefined>(undefined);

async function takeSnapshot(file: File): Promise<void> {
  const read = await readSnapshot(file);
  const shown = scope().organization;
  if (shown !== undefined && read.organization !== shown) waiting.value = read;
  else await loadSnapshot(read);
}

function LoadQuestion() {
  const read = waiting.value;
  const close = () => {
    waiting.value = undefined;
  };
  const load = () => {
    close();
    if (read !== undefined) void run(() => loadSnapshot(read));
  };
  const what = read?.organization === undefined ? 'everything' : nameOfSandbox(read.organization);
  return (
    <Dialog title="Load snapshot?" isOpen={read !== undefined} onClose={close}>
      <p>
        {read?.file} is a snapshot of {what}, not only of {scope().name}. Loading it replaces {what}
        {read?.organization === undefined && `: ${sandboxes.value.map(({ name }) => name).join(', ')}`}.
      </p>
      <div class="row">
        <Button label={`Replace ${what}`} class="danger" onClick={load} />
        <Button label="Cancel" onClick={close} />
      </div>
    </Dialog>
  );
}

function AddToSection({ section }: { section: Section }) {
  if (section === 'sandboxes') return <OpenSandbox />;
  if (section === 'agents') return <AddAgent />;
  if (section === 'keys') return <IssueKey />;
  if (section === 'drives') return <a href={linkTo('try', 'createDrive')}>Create a drive in Try</a>;
  return <a href={linkTo('try', 'createMcpServer')}>Register a server in Try</a>;
}

const empty = ' ';

/** Opens a sandbox: a copy of one of the seed, or an empty one. */
function OpenSandbox() {
  const name = useSignal('');
  const copied = useSignal('');
  const { run: trying, Problem: OpenProblem } = useAction();
  const seeds = sandboxes.value.filter(({ kind }) => kind === 'seed');
  const open = (close: () => void) => {
    const copyOf = copied.value || seeds[0]?.id || empty;
    void trying(() => openSandbox(name.value.trim(), copyOf === empty ? null : copyOf).then(close));
  };
  return (
    <DialogButton label="Open a sandbox">
      {(close) => (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            open(close);
          }}
        >
          <p>A separate set of data with its own API key.</p>
          <OpenProblem />
          <TextField label="Name (optional)" {...bound(name)} />
          <Select
            label="Copy of"
            value={copied.value || (seeds[0]?.id ?? empty)}
            options={[
              ...seeds.map((seed) => [seed.id, `${seed.name}, as in the seed`] as const),
              [empty, 'Nothing: it starts empty'],
            ]}
            onChange={(next) => (copied.value = next)}
          />
          <Button label="Open" type="submit" class="primary" />
        </form>
      )}
    </DialogButton>
  );
}

const columns = { sandboxes: sandboxColumns, agents: agentColumns, 'mcp-servers': serverColumns, keys: keyColumns };

/** The records of the section: a table, or the tree of the drives. */
function List() {
  const section = shownSection.value;
  const items = section === 'sandboxes' ? sandboxes.value : shownData.value.lists[section];
  if (items === undefined) return <p class="loading">Loading…</p>;
  return section === 'drives' ? <Drives /> : <Flat items={items as never} columns={columns[section] as never} />;
}

type Named = { id: string; name: string };

function Flat<T extends Named>({ items, columns }: { items: readonly T[]; columns: readonly Column<T>[] }) {
  const section = shownSection.value;
  const { find = '' } = place.value.query;
  const found = items.filter(({ name }) => name.toLowerCase().includes(find.toLowerCase()));
  const order = orderOf(columns);
  const rows = (order === undefined ? found : found.toSorted(order)).map((item): Row<T> => {
    const id = `/${section}/${encodeURIComponent(item.id)}`;
    return { id, item, href: linkTo('state', id.slice(1)) };
  });
  if (rows.length === 0) return items.length === 0 ? <NothingIn section={section} /> : <NothingFound />;
  return <Table key={section} label={sections[section]} columns={columns} rows={rows} selected={selectedPlace.value} />;
}

/** Lines that somebody opened or closed. A search has its own. */
const toggled = signal<ReadonlyMap<string, boolean>>(new Map());
const toggleKey = (where: string) => `${(place.value.query.find ?? '') === '' ? '' : '?'}${where}`;

// The drive of the selected file is open at first.
const isOpen = ({ place: where, isOpenAtFirst = selectedPlace.value.startsWith(`${where}/files/`) }: TreeNode) =>
  toggled.value.get(toggleKey(where)) ?? isOpenAtFirst;

function toggle({ id, item, isOpen: wasOpen }: Row<TreeItem>): void {
  toggled.value = new Map(toggled.value).set(toggleKey(id), !wasOpen);
  if (item.drive === undefined || wasOpen) return;
  openDrives.value = new Set(openDrives.value).add(item.drive.id);
  void records.refresh();
}

function Drives() {
  const { lists, files } = shownData.value;
  const { find = '' } = place.value.query;
  const nodes = driveNodes(lists.drives ?? [], (id) => files.get(id));
  const found = find === '' ? nodes : matching(nodes, find);
  if (found.length === 0) return nodes.length === 0 ? <NothingIn section="drives" /> : <NothingFound />;
  const hrefOf = (where: string) => linkTo('state', where.slice(1));
  const rows = rowsOf(found, { isOpen, hrefOf, order: orderOf(driveColumns) });
  return <Table label="Drives" columns={driveColumns} rows={rows} selected={selectedPlace.value} onToggle={toggle} />;
}

function NothingFound() {
  return (
    <Empty title="No name matches">
      <p>The search covers names{shownSection.value === 'drives' && ', and files of drives that were opened'}.</p>
      <Button label="Show all" onClick={() => replaceQuery({ find: '' })} />
    </Empty>
  );
}

/** What an empty section shows: what is missing, and how to add it. */
function NothingIn({ section }: { section: Section }) {
  const path = section === 'drives' || section === 'mcp-servers' ? section : undefined;
  return (
    <Empty title={`No ${sections[section].replace(/^[ADKS]/, (letter) => letter.toLowerCase())}`}>
      {path === undefined ? (
        <p>Add one with the button above, load a snapshot, or reset to the seed. The API has no operation for it.</p>
      ) : (
        <p>
          Create one with <code>{`POST ${index.value?.baseUrl}/${path}`}</code>, or in Try.
        </p>
      )}
    </Empty>
  );
}
