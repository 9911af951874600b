import { signal, useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { index } from '../shared/control.ts';
import { useShortcuts } from '../shared/keys.ts';
import { NeedsControl } from '../shared/needs-control.tsx';
import { Empty } from '../shared/parts.tsx';
import { chosenSandbox, sandboxes } from '../shared/sandboxes.ts';
import { placeOf } from '../shared/state-parts.ts';
import { undoneCount } from '../shared/undo.tsx';
import { goTo, linkTo, place, replaceQuery } from '../shared/url-state.ts';
import { changeRecord } from './actions.ts';
import { AddButton } from './add-button.tsx';
import { AgentDetail } from './agent-detail.tsx';
import { NoRecord } from './detail.tsx';
import { DriveDetail } from './drive-detail.tsx';
import { FileDetail } from './file-detail.tsx';
import { KeyList } from './key-list.tsx';
import { Organizations } from './organizations.tsx';
import {
  followChanges,
  openDrives,
  refresh,
  type Section,
  sections,
  selectedPlace,
  shownData,
  shownSection,
  stepsOf,
} from './records.ts';
import { ServerDetail } from './server-detail.tsx';
import { StateToolbar } from './toolbar.tsx';
import { agentNodes, driveNodes, matching, serverNodes, type TreeNode } from './tree.ts';
import { Tree } from './tree-view.tsx';

/** The state of the mock: what its organizations hold, to view and change. */
export function StateView() {
  return (
    <NeedsControl what="State">
      <State />
    </NeedsControl>
  );
}

function State() {
  const sandbox = chosenSandbox.value;
  const hasDetail = sandbox !== undefined && stepsOf(selectedPlace.value).length > 1;
  useEffect(followChanges, []);
  useEffect(() => {
    void refresh();
  }, [sandbox?.id, shownSection.value, driveOf(selectedPlace.value), undoneCount.value]);
  useShortcuts([{ keys: 'Escape', does: 'Close the record', run: () => goTo('state', shownSection.value) }]);
  return (
    <div class={hasDetail ? 'state has-detail' : 'state'}>
      <StateToolbar />
      {sandbox === undefined ? <Organizations /> : <Sandbox key={sandbox.id} />}
    </div>
  );
}

function driveOf(where: string): string {
  const [section, drive = ''] = stepsOf(where);
  return section === 'drives' ? drive : '';
}

/** One organization: its sections, and the chosen one. */
function Sandbox() {
  const section = shownSection.value;
  return (
    <>
      <nav class="sections" aria-label="Parts of the sandbox">
        {(Object.keys(sections) as Section[]).map((each) => (
          <a key={each} href={linkTo('state', each)} aria-current={each === section ? 'page' : undefined}>
            {sections[each]} <small>{countIn(each)}</small>
          </a>
        ))}
      </nav>
      {shownData.value.lists[section] === undefined ? <p class="loading">Loading…</p> : <Shown section={section} />}
    </>
  );
}

function countIn(section: Section): string {
  const { holds, keyIds } = sandboxes.value.find(({ id }) => id === chosenSandbox.value?.id) ?? {};
  if (holds === undefined) return '';
  return String(
    { agents: holds.agents, drives: holds.drives, 'mcp-servers': holds.mcpServers, keys: keyIds?.length }[section],
  );
}

function Shown({ section }: { section: Section }) {
  if (section === 'keys') return <KeyList keys={shownData.value.lists.keys ?? []} />;
  return (
    <div class="panes">
      <Records key={section} section={section} />
      <SelectedRecord />
    </div>
  );
}

/** Nodes that were opened or closed, unlike their initial state. A search has a separate set. */
const toggled = signal<ReadonlySet<string>>(new Set());
const toggledInSearch = signal<ReadonlySet<string>>(new Set());
const toggledNow = () => ((place.value.query.find ?? '') === '' ? toggled : toggledInSearch);

function isOpen({ place: where, isOpenAtFirst = false }: TreeNode): boolean {
  return isOpenAtFirst !== toggledNow().value.has(where);
}

function toggle(node: TreeNode): void {
  const now = toggledNow();
  const next = new Set(now.value);
  if (!next.delete(node.place)) next.add(node.place);
  now.value = next;
  const drive = driveOf(node.place);
  if (drive === '' || node.isGroup || !isOpen(node)) return;
  openDrives.value = new Set(openDrives.value).add(drive);
  void refresh();
}

function select(node: TreeNode): void {
  const isSelected = node.place === selectedPlace.value;
  if (node.children !== undefined && (isSelected || !isOpen(node))) toggle(node);
  if (!isSelected) goTo('state', node.place.slice(1));
}

function nodesOf(section: Section): TreeNode[] {
  const { lists, files } = shownData.value;
  if (section === 'agents') return agentNodes(lists.agents ?? []);
  if (section === 'drives') return driveNodes(lists.drives ?? [], (id) => files.get(id));
  return serverNodes(lists['mcp-servers'] ?? []);
}

function Records({ section }: { section: Section }) {
  const nodes = useComputed(() => nodesOf(section));
  const find = place.value.query.find ?? '';
  const found = useComputed(() => {
    const text = place.value.query.find ?? '';
    return text === '' ? nodes.value : matching(nodes.value, text);
  });
  return (
    <div class="records">
      <div class="row">
        <FindField text={find} />
        <AddToSection section={section} />
      </div>
      {nodes.value.length === 0 && <NothingIn section={section} />}
      {nodes.value.length > 0 && found.value.length === 0 && <NothingFound text={find} />}
      {found.value.length > 0 && (
        <Tree
          label={sections[section]}
          nodes={found.value}
          isOpen={isOpen}
          selected={selectedPlace.value}
          onToggle={toggle}
          onSelect={select}
        />
      )}
    </div>
  );
}

function FindField({ text }: { text: string }) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', does: 'Find by name', run: () => field.current?.focus() }]);
  return (
    <label class="find">
      Find
      <input
        ref={field}
        type="search"
        value={text}
        placeholder="part of a name"
        spellcheck={false}
        onInput={({ currentTarget }) => replaceQuery({ find: currentTarget.value })}
      />
    </label>
  );
}

function NothingFound({ text }: { text: string }) {
  return (
    <Empty title="No name matches">
      <p>
        The search for <code>{text}</code> covers names, and files of expanded drives only.
      </p>
      <button type="button" onClick={() => replaceQuery({ find: '' })}>
        Show all
      </button>
    </Empty>
  );
}

function AddToSection({ section }: { section: Section }) {
  if (section === 'drives') return <a href={linkTo('try', 'createDrive')}>Create a drive in Try</a>;
  if (section === 'mcp-servers') return <a href={linkTo('try', 'createMcpServer')}>Register a server in Try</a>;
  return (
    <AddButton
      label="Add an agent"
      template={{ name: 'New agent', revisions: [{}], published: 1 }}
      onAdd={async (body) => {
        const made = await changeRecord({
          ...{ what: 'Add an agent', method: 'POST', path: placeOf('agents'), body },
          place: ({ id }) => placeOf('agents', String(id)),
        });
        goTo('state', placeOf('agents', String(made.id)).slice(1));
      }}
    />
  );
}

/** What an empty section shows: what is missing, and how to add it. */
function NothingIn({ section }: { section: Section }) {
  const path = { agents: '/agents', drives: '/drives', 'mcp-servers': '/mcp-servers', keys: '' }[section];
  return (
    <Empty title={`No ${sections[section].replace(/^[AD]/, (letter) => letter.toLowerCase())}`}>
      {section === 'agents' ? (
        <p>
          The API cannot create agents. Press “Add an agent”, or start the mock with a seed that has some: --seed
          my-seed.yaml.
        </p>
      ) : (
        <p>
          Create one with <code>POST {index.value?.baseUrl + path}</code>, or in Try.
        </p>
      )}
      <p>Reset restores the initial data.</p>
    </Empty>
  );
}

/** The selected record beside the tree; nothing if none is selected. */
function SelectedRecord() {
  const [section, id, , below] = stepsOf(selectedPlace.value);
  if (id === undefined) return null;
  const { lists, files } = shownData.value;
  const byId = <T extends { id: string }>(list: readonly T[] = [], wanted = id) =>
    list.find((each) => each.id === wanted);
  const agent = section === 'agents' ? byId(lists.agents) : undefined;
  if (agent !== undefined) return <AgentDetail key={id} agent={agent} />;
  const server = section === 'mcp-servers' ? byId(lists['mcp-servers']) : undefined;
  if (server !== undefined) return <ServerDetail key={id} server={server} />;
  const drive = section === 'drives' ? byId(lists.drives) : undefined;
  if (drive === undefined) return <NoRecord />;
  if (below === undefined) return <DriveDetail key={id} drive={drive} />;
  if (!files.has(id)) return <p class="loading">Loading…</p>;
  const file = byId(files.get(id), below);
  return file === undefined ? <NoRecord /> : <FileDetail key={below} driveId={id} file={file} />;
}
