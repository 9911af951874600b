import { useState } from 'react';
import type { Agent } from './api.ts';
import { Outcome, Shown } from './states.tsx';
import { byName, Flag, Time } from './text.tsx';
import { useApi, useRead, useWrite } from './use-api.ts';

export function Agents() {
  const { listAgents } = useApi();
  const agents = useRead(['agents'], listAgents);
  return (
    <>
      <h1>Agents</h1>
      <Shown read={agents} what="the agents">
        {(list) => (list.length === 0 ? <p>There are no agents yet.</p> : <AgentList agents={byName(list)} />)}
      </Shown>
    </>
  );
}

function AgentList({ agents }: { agents: readonly Agent[] }) {
  return (
    <ul className="cards">
      {agents.map((agent, index) => (
        <li key={agent.id ?? index}>
          <h2>{agent.name ?? 'Agent without a name'}</h2>
          {agent.description !== undefined && <p>{agent.description}</p>}
          <p>
            <Flag of={agent.isPublished} yes="Published" no="Not published" />{' '}
            <Flag of={agent.hasChanges} yes="Unpublished changes" no="No changes" />
          </p>
          <p className="small">
            Id <code>{agent.id ?? 'unknown'}</code>, updated <Time of={agent.updatedAt} />
          </p>
          {agent.id !== undefined && <Publish agentId={agent.id} />}
        </li>
      ))}
    </ul>
  );
}

/** No operation lists revisions, so the id of one has to be known. */
function Publish({ agentId }: { agentId: string }) {
  const { publish } = useApi();
  const [revisionId, setRevisionId] = useState('');
  const write = useWrite((id: string, signal) => publish(agentId, id, signal), ['agents']);
  const send = (event: React.SubmitEvent) => {
    event.preventDefault();
    write.mutate(revisionId.trim(), { onSuccess: () => setRevisionId('') });
  };
  return (
    <form onSubmit={send}>
      <label>
        Revision id <input value={revisionId} onChange={(event) => setRevisionId(event.target.value)} required />
      </label>
      <button type="submit" disabled={write.isPending}>
        Publish
      </button>
      <Outcome
        write={write}
        what={(id) => `Publication of ${id}`}
        done={(_, id) => `Revision ${id} is the active version now.`}
        unsure={() => <p>You can publish it again: in the end the same revision is active.</p>}
      />
    </form>
  );
}
