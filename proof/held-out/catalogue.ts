import type { Config, Settings } from '../../conformance/run/settings.ts';
import { type Mode, settingsFor } from '../power/fixtures.ts';
import * as first from './first/index.ts';
import * as second from './second/index.ts';
import * as third from './third/index.ts';

/**
 * A catalogue of faulty and legal servers. Its author knew the specification and no check; it is never changed to suit the
 * suite.
 */
export interface Catalogue {
  entries: readonly Entry[];
  /** Starts the author's own server with these variants. */
  start(names: readonly string[]): Promise<Started>;
}

/** One server of a catalogue: it breaks a fact (`must`), or what follows from the text (`should`), or nothing. */
export interface Entry {
  name: string;
  kind: 'must' | 'should' | 'legal';
  section: string;
  what: string;
  /** What it takes to notice it, if the author sorted the servers by that. */
  takes?: string;
}

export interface Started {
  baseUrl: string;
  facts: Facts;
  stop(): Promise<void>;
}

/** What an owner tells a tester about a server. */
export interface Facts {
  treePathParameter: string;
  settleMs: number;
  organizations: readonly [OrganizationFacts, OrganizationFacts];
}

export interface OrganizationFacts {
  apiKey: string;
  agents: readonly { id: string; revisionIds: readonly string[] }[];
  drives: readonly { id: string; files: readonly { id: string }[] }[];
  mcpServers: readonly { id: string }[];
}

export const catalogues = { first, second, third } as const satisfies Record<string, Catalogue>;
export type CatalogueName = keyof typeof catalogues;

/** Where catalogues say less than the suite needs: which agent is not published yet. */
async function unpublishedAgent(baseUrl: string, { apiKey, agents }: OrganizationFacts) {
  const response = await fetch(`${baseUrl}/agents`, { headers: { 'X-API-Key': apiKey } });
  const listed = (await response.json()) as { id: string; isPublished?: boolean }[];
  const { id } = listed.find(({ isPublished }) => isPublished === false) ?? {};
  return agents.find((agent) => agent.id === id && agent.revisionIds.length > 0) ?? agents[0];
}

/** The settings of a run over a started server: everything that its owner could declare. */
export async function settingsForHeldOut({ baseUrl, facts }: Started, mode: Mode): Promise<Settings> {
  const [own, other] = facts.organizations;
  const agent = await unpublishedAgent(baseUrl, own).catch(() => own.agents[0]);
  const [drive, ...drives] = own.drives.map(({ id, files }) => files.map((file) => ({ driveId: id, id: file.id })));
  const [mcpServer] = own.mcpServers;
  const fixtures: NonNullable<Config['fixtures']> = {
    ...(agent === undefined ? {} : { agent: { id: agent.id, revisionId: agent.revisionIds[0] ?? '' } }),
    // As the doctor advises: two files of one drive, and one of each other drive.
    files: [...(drive ?? []).slice(0, 2), ...drives.flatMap((files) => files.slice(0, 1))],
    disposableFiles: [...(drive ?? []).slice(2), ...drives.flatMap((files) => files.slice(1))],
    ...(mcpServer === undefined ? {} : { mcpServer: { id: mcpServer.id } }),
  };
  return settingsFor(mode, {
    ...{ baseUrl, apiKey: own.apiKey, otherApiKey: other.apiKey, fixtures },
    openPoints: { treePathParameter: facts.treePathParameter },
    settleMs: facts.settleMs + 1_000,
    // A busy machine is no fault of theirs.
    timeoutMs: 5_000,
  });
}
