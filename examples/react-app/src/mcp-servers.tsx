import { useState } from 'react';
import type { McpServer } from './api.ts';
import { Outcome, Shown } from './states.tsx';
import { byName, Time } from './text.tsx';
import { useApi, useRead, useWrite } from './use-api.ts';

export function McpServers() {
  const { listServers } = useApi();
  const servers = useRead(['mcp-servers'], listServers);
  return (
    <>
      <h1>MCP servers</h1>
      <NewServer />
      <Shown read={servers} what="the MCP servers">
        {(list) => (list.length === 0 ? <p>There are no MCP servers yet.</p> : <ServerList servers={byName(list)} />)}
      </Shown>
    </>
  );
}

/** Which URLs are accepted is open: one may start with `javascript:`. So it is text and no link. */
function ServerList({ servers }: { servers: readonly McpServer[] }) {
  return (
    <ul className="cards">
      {servers.map((server, index) => (
        <li key={server.id ?? index}>
          <h2>{server.name ?? 'MCP server without a name'}</h2>
          <p>
            <code>{server.url ?? 'URL unknown'}</code> <span className="flag">{server.type ?? 'type unknown'}</span>
          </p>
          <p className="small">
            Updated <Time of={server.updatedAt} />
          </p>
          {server.id !== undefined && <Tools serverId={server.id} />}
        </li>
      ))}
    </ul>
  );
}

/** The tools, read when they are asked for: the service may have to ask the MCP server itself, which takes time. */
function Tools({ serverId }: { serverId: string }) {
  const { listTools } = useApi();
  const [isOpen, setIsOpen] = useState(false);
  const tools = useRead(['tools', serverId], (signal) => listTools(serverId, signal), { enabled: isOpen });
  return (
    <>
      <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        Tools
      </button>
      {isOpen && (
        <Shown read={tools} what="the tools">
          {(list) =>
            list.length === 0 ? (
              <p>This MCP server offers no tools, or none yet.</p>
            ) : (
              <dl>
                {byName(list).map(({ name, description }) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{description}</dd>
                  </div>
                ))}
              </dl>
            )
          }
        </Shown>
      )}
    </>
  );
}

const nothing = { name: '', url: '' };

function NewServer() {
  const { createServer } = useApi();
  const [typed, setTyped] = useState(nothing);
  const write = useWrite(createServer, ['mcp-servers']);
  const send = (event: React.SubmitEvent) => {
    event.preventDefault();
    write.mutate({ name: typed.name.trim(), url: typed.url }, { onSuccess: () => setTyped(nothing) });
  };
  return (
    <form onSubmit={send}>
      <label>
        Name{' '}
        <input
          value={typed.name}
          onChange={(event) => setTyped({ ...typed, name: event.target.value })}
          required
          pattern=".*\S.*"
        />
      </label>
      <label>
        URL{' '}
        <input
          type="url"
          value={typed.url}
          onChange={(event) => setTyped({ ...typed, url: event.target.value })}
          required
        />
      </label>
      <button type="submit" disabled={write.isPending}>
        Register
      </button>
      <Outcome
        write={write}
        what={({ name }) => `Registration of “${name}”`}
        done={({ name, url }) => `Registered ${name} at ${url}. The list may show it a little later.`}
        unsure={({ name }) => <p>Look for “{name}” in the list: a second try may register it twice.</p>}
      />
    </form>
  );
}
