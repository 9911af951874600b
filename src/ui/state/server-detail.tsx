import { Notice } from '../shared/parts.tsx';
import { placeOf } from '../shared/state-parts.ts';
import { changeRecord } from './actions.ts';
import { DeleteButton, Detail } from './detail.tsx';
import { RecordEditor } from './record-editor.tsx';
import type { ServerRecord } from './record-types.ts';

/** One MCP server with its tools. */
export function ServerDetail({ server }: { server: ServerRecord }) {
  const { id, name, url, type, tools, toolsProblem } = server;
  const path = placeOf('mcp-servers', id);
  return (
    <Detail title={name} kind="MCP server" id={id}>
      <p>
        <code>{url}</code> <span class="muted">{type}</span>
      </p>
      {toolsProblem !== undefined && <Notice kind="note">Its tools could not be read: {toolsProblem}</Notice>}
      <div class="row">
        <DeleteButton what={`the MCP server ${name}`} confirm={`Delete ${name}?`} path={path} next="mcp-servers" />
      </div>
      <RecordEditor
        label="Tools as JSON: a list of names and descriptions"
        value={tools}
        action="Save"
        onSave={(body) =>
          changeRecord({
            ...{ what: `Change the tools of ${name}`, method: 'PUT', path: `${path}/tools`, body, place: () => path },
          })
        }
      />
    </Detail>
  );
}
