import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { ShownAgent } from '../../app/admin-api/agent-handlers.ts';
import type { ShownDrive, ShownFile } from '../../app/admin-api/file-handlers.ts';
import type { ShownServer } from '../../app/admin-api/mcp-server-handlers.ts';
import { Button } from '../shared/button.tsx';
import { CopyButton } from '../shared/copy.tsx';
import { Detail, Missing } from '../shared/detail.tsx';
import { DialogButton } from '../shared/dialog.tsx';
import { bound, Select, TextField } from '../shared/form.tsx';
import type { Fields } from '../shared/json.ts';
import { Command, ConfirmButton, Facts, Notice, Path, Tag } from '../shared/parts.tsx';
import { type Sandbox, sandboxes } from '../shared/sandboxes.ts';
import { placeOf } from '../shared/state-undo.ts';
import { goTo, linkTo } from '../shared/url-state.ts';
import { moment, plural, shortened, shown } from '../shared/words.ts';
import { openInTry } from '../try/draft.ts';
import { changeRecord, deleteSandbox, run } from './actions.ts';
import { fieldsIn, type RecordField } from './record-change.ts';
import { RecordEditor } from './record-editor.tsx';
import { type KeyRecord, linkToSection, sections, shownData, shownSection, steps } from './records.ts';

/** What shows a record of each section. Files stand in the tree of the drives. */
const views = {
  sandboxes: SandboxDetail,
  agents: AgentDetail,
  drives: DriveDetail,
  'mcp-servers': ServerDetail,
  keys: KeyDetail,
};

export function SelectedRecord() {
  const [, id = '', , fileId] = steps.value;
  const { lists, files } = shownData.value;
  const section = shownSection.value;
  const list: readonly { id: string }[] | undefined = section === 'sandboxes' ? sandboxes.value : lists[section];
  const record = list?.find((each) => each.id === id);
  const file = files.get(id)?.find((each) => each.id === fileId);
  const View = views[section];
  if (record !== undefined && fileId === undefined) return <View record={record as never} />;
  if (file !== undefined) return <FileDetail driveId={id} file={file} />;
  if (list === undefined || (record !== undefined && !files.has(id))) return null;
  const why = 'It may have been deleted, or it belongs to a different sandbox.';
  const instead = `Show all ${sections[section].toLowerCase()}`;
  return <Missing title="There is no such record" why={why} instead={instead} closeTo={section} />;
}

interface RecordProps {
  kind: string;
  name: string;
  id: string;
  /** What is selected when it is closed or deleted. */
  next: string;
  remove: { confirm?: string; label?: string; act(): Promise<unknown> };
  children: ComponentChildren;
}

/** One record: its name and id, what can be done with it, and the button that deletes it. */
function RecordDetail({ kind, name, id, next, remove, children }: RecordProps) {
  const { label = 'Delete', confirm = `Delete ${shortened(name)}?` } = remove;
  const act = async () => {
    await remove.act();
    goTo('state', next);
  };
  return (
    <Detail
      label={`${kind} ${name}`}
      title={kind === 'File' ? <Path path={shown(name)} /> : shown(name)}
      closeTo={next}
      actions={<ConfirmButton {...{ label, confirm }} onConfirm={() => run(act)} />}
    >
      <p class="muted">
        {kind} <code>{id}</code> <CopyButton what="id" label="Copy" text={() => id} />
      </p>
      {children}
    </Detail>
  );
}

const deletion = (what: string, path: string) => () => changeRecord({ what: `Delete ${what}`, method: 'DELETE', path });

function SandboxDetail({ record: { id, name, kind, keyIds, holds, hasOwnProfile } }: { record: Sandbox }) {
  return (
    <RecordDetail
      {...{ kind: 'Sandbox', name, id, next: 'sandboxes' }}
      remove={{ confirm: `Delete ${shortened(name)} and everything in it?`, act: () => deleteSandbox(id, name) }}
    >
      <p class="row">
        <a href={linkToSection('agents', { sandbox: id })}>{plural(holds.agents, 'agent')}</a>
        <a href={linkToSection('drives', { sandbox: id })}>{plural(holds.drives, 'drive')}</a>
        <a href={linkToSection('mcp-servers', { sandbox: id })}>{plural(holds.mcpServers, 'MCP server')}</a>
        <a href={linkToSection('keys', { sandbox: id })}>{plural(keyIds.length, 'key')}</a>
      </p>
      <p>
        {kind === 'seed' ? 'Part of the seed.' : 'Opened while the mock was running.'}{' '}
        <a href={linkTo('points', '', { sandbox: id })}>
          {hasOwnProfile ? 'Has its own profile' : 'Uses the shared profile'}
        </a>
      </p>
    </RecordDetail>
  );
}

/** Adds a record to the list at a path, and shows it. */
const addTo = (path: string, what: string) => async (body: unknown) => {
  const place = ({ id }: Fields) => path + placeOf(String(id));
  goTo('state', place(await changeRecord({ what, method: 'POST', path, body, place })).slice(1));
};

export function AddAgent() {
  const value = { name: 'New agent', revisions: [{}], published: 1 };
  const add = addTo(placeOf('agents'), 'Add an agent');
  return <AddButton label="Add an agent" fields={fieldsIn.NewAgent} value={value} onAdd={add} />;
}

interface AddProps {
  label: string;
  /** The text of the button that does it. */
  action?: string;
  fields: readonly RecordField[];
  value: Fields;
  onAdd(record: unknown): Promise<unknown>;
}

function AddButton({ label, action = 'Add', fields, value, onAdd }: AddProps) {
  return (
    <DialogButton label={label}>
      {(close) => (
        <RecordEditor
          {...{ fields, value, action, isNew: true }}
          onSave={async (record) => {
            await onAdd(record);
            close();
          }}
        />
      )}
    </DialogButton>
  );
}

function AgentDetail({ record: agent }: { record: ShownAgent }) {
  const { id, name, revisions } = agent;
  const path = placeOf('agents', id);
  const addRevision = () =>
    changeRecord({
      ...{ what: `Add a revision to ${name}`, method: 'POST', path: `${path}/revisions`, body: {}, place: () => path },
    });
  return (
    <RecordDetail
      {...{ kind: 'Agent', name, id, next: 'agents' }}
      remove={{ act: deletion(`the agent ${name}`, path) }}
    >
      <div class="row">
        <h4>Revisions</h4>
        <Button label="Add a revision" onClick={() => run(addRevision)} />
      </div>
      {revisions.length === 0 && <p class="muted">None. Add one, so that the agent can be published.</p>}
      <ol class="revisions">
        {revisions.map((_, at) => (
          <Revision key={at} agent={agent} at={at} path={path} />
        ))}
      </ol>
      <RecordEditor
        {...{ fields: fieldsIn.AgentChange, value: { ...agent }, action: 'Save' }}
        onSave={(body) => changeRecord({ what: `Change the agent ${name}`, method: 'PATCH', path, body })}
      />
    </RecordDetail>
  );
}

function Revision({ agent, at, path }: { agent: ShownAgent; at: number; path: string }) {
  const { name, revisions, activeRevisionId } = agent;
  const { id = '', createdAt = '' } = revisions[at] ?? {};
  const isPublished = id === activeRevisionId;
  const verb = isPublished ? 'Unpublish' : 'Publish';
  const body = isPublished
    ? { activeRevisionId: null, hasChanges: true }
    : { activeRevisionId: id, hasChanges: at < revisions.length - 1 };
  const what = `${verb} revision ${at + 1} of ${name}`;
  return (
    <li class="row">
      <span>
        {at + 1}. {moment(createdAt)}
      </span>
      {isPublished && <Tag tone="good">published</Tag>}
      <Button
        label={verb}
        aria-label={`${verb} revision ${at + 1}`}
        onClick={() => run(() => changeRecord({ what, method: 'PATCH', path, body }))}
      />
      <small class="mono">{id}</small>
    </li>
  );
}

function DriveDetail({ record: { id, name, createdAt, updatedAt, holds } }: { record: ShownDrive }) {
  const path = placeOf('drives', id);
  const files = plural(holds.files, 'file');
  const add = addTo(`${path}/files`, `Add a file to ${name}`);
  const value = { path: '/new.txt', status: 'ready', contentType: 'text/plain', sizeBytes: 0 };
  return (
    <RecordDetail
      {...{ kind: 'Drive', name, id, next: 'drives' }}
      remove={{ confirm: `Delete ${shortened(name)} with ${files}?`, act: deletion(`the drive ${name}`, path) }}
    >
      <Facts of={{ Files: holds.files, Created: moment(createdAt), Updated: moment(updatedAt) }} />
      <div class="row">
        <AddButton label="Add a file" fields={fieldsIn.NewFile} value={value} onAdd={add} />
      </div>
      <p class="muted">A drive cannot be renamed: the API has no operation for it.</p>
    </RecordDetail>
  );
}

// The next status is shown with a time but sent with a delay, so it has its own fields.
const fileFields = fieldsIn.FileChange.filter(({ name }) => name !== 'becomes');
const statuses = (fieldsIn.FileChange.find(({ name }) => name === 'status')?.kind ?? []) as readonly string[];

function FileDetail({ driveId, file }: { driveId: string; file: ShownFile }) {
  const { id, path: filePath, becomes } = file;
  const path = placeOf('drives', driveId, 'files', id);
  const change = (what: string, body: unknown) =>
    changeRecord({ what: `${what} of ${filePath}`, method: 'PATCH', path, body });
  return (
    <RecordDetail
      {...{ kind: 'File', name: filePath, id, next: placeOf('drives', driveId).slice(1) }}
      remove={{ act: deletion(`the file ${filePath}`, path) }}
    >
      <RecordEditor
        {...{ fields: fileFields, value: { ...file }, action: 'Save' }}
        onSave={(body) => changeRecord({ what: `Change the file ${filePath}`, method: 'PATCH', path, body })}
      />
      <div class="row">
        <Button label="Open in Try" onClick={() => openInTry('getDriveFile', { url: path })} />
      </div>
      <h4>Scheduled status</h4>
      {becomes === undefined ? (
        <LaterFields onPlan={(next) => run(() => change(`Schedule status ${next.status}`, { becomes: next }))} />
      ) : (
        <div class="row">
          <span>
            {becomes.status} at {moment(becomes.at)}
          </span>
          <Button label="Cancel" onClick={() => run(() => change('Cancel the scheduled status', { becomes: null }))} />
        </div>
      )}
    </RecordDetail>
  );
}

/** The status that a file changes to by itself after some seconds. */
function LaterFields({ onPlan }: { onPlan(becomes: { status: string; afterMs: number }): unknown }) {
  const status = useSignal('error');
  const seconds = useSignal('10');
  const isValid = /^\d{1,9}(?:\.\d{1,3})?$/.test(seconds.value);
  return (
    <div class="row">
      <Select label="New status" options={statuses.map((each) => [each, each])} {...bound(status)} />
      <TextField label="After, in seconds" isNumber {...bound(seconds)} />
      <Button
        label="Schedule"
        disabled={!isValid}
        onClick={() => onPlan({ status: status.value, afterMs: Math.round(Number(seconds.value) * 1_000) })}
      />
    </div>
  );
}

const toolFields: readonly RecordField[] = [{ name: 'tools', kind: 'json', isRequired: true }];

function ServerDetail({ record }: { record: ShownServer }) {
  const { id, name, url, type, tools, toolsProblem } = record;
  const path = placeOf('mcp-servers', id);
  return (
    <RecordDetail
      {...{ kind: 'MCP server', name, id, next: 'mcp-servers' }}
      remove={{ act: deletion(`the MCP server ${name}`, path) }}
    >
      <Facts of={{ URL: <code>{url}</code>, Type: type }} />
      {toolsProblem !== undefined && <Notice kind="note">Its tools could not be read: {toolsProblem}</Notice>}
      <RecordEditor
        {...{ fields: toolFields, value: { tools }, action: 'Save' }}
        onSave={({ tools: body }) =>
          changeRecord({
            ...{ what: `Change the tools of ${name}`, method: 'PUT', path: `${path}/tools`, body, place: () => path },
          })
        }
      />
    </RecordDetail>
  );
}

export function IssueKey() {
  const fresh = { key: `key-${Math.random().toString(36).slice(2, 10)}` };
  const add = (body: unknown) =>
    changeRecord({ what: 'Issue a key', method: 'POST', path: placeOf('keys'), body, place: () => '' });
  const fields = [{ name: 'key', kind: 'text' }] as const;
  return <AddButton label="Issue a key" action="Issue" fields={fields} value={fresh} onAdd={add} />;
}

function KeyDetail({ record: { key, keyId } }: { record: KeyRecord }) {
  const revoke = () =>
    changeRecord({ what: `Revoke the key ${keyId}`, method: 'DELETE', path: placeOf('keys', keyId), place: () => '' });
  return (
    <RecordDetail
      {...{ kind: 'Key', name: keyId, id: keyId, next: 'keys' }}
      remove={{ label: 'Revoke', confirm: `Revoke ${keyId}? Requests with it get 401.`, act: revoke }}
    >
      <Command text={key} what="key" />
    </RecordDetail>
  );
}
