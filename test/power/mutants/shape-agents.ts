import { type AnswerFault, atOffset, inItems, inLast, inList, without, withStatus } from './rewrite.ts';

/** Agents that look wrong. */
export const agentFaults: readonly AnswerFault[] = [
  {
    id: 'agents-answered-with-203',
    class: 'status',
    requirement: 'listAgents.status-is-200',
    check: 'listAgents.status-is-200',
    fault: 'The list of agents is answered with 203.',
    break: withStatus('listAgents', 203),
  },
  {
    id: 'agents-in-an-envelope',
    requirement: 'listAgents.answer-is-array',
    check: 'listAgents.answer-is-array',
    fault: 'The list of agents is an object with data, not an array.',
    break: inList('listAgents', (data) => ({ data })),
  },
  {
    id: 'agent-updated-in-local-time',
    requirement: 'timestamps.are-in-utc',
    check: 'listAgents.timestamps-are-utc',
    fault: 'updatedAt of the last agent is given at +02:00.',
    break: inLast('listAgents', (agent) => ({ ...agent, updatedAt: atOffset(agent.updatedAt, '+02:00') })),
  },
  {
    id: 'agent-flag-left-out-when-false',
    requirement: 'agent.fields-are-present',
    check: 'listAgents.fields-present',
    fault: 'hasChanges is left out where it is false.',
    break: inItems('listAgents', (agent) => (agent.hasChanges === true ? agent : without(agent, 'hasChanges'))),
  },
];
