import assert from 'node:assert/strict';
import { fieldsOf } from './body-rules.ts';
import { creationOutcomes, newcomer } from './drives.ts';
import { assertWholeList } from './lists.ts';
import type { ServerState } from './picture.ts';
import { absence, type Expectation, isForeign, type Scene } from './scene.ts';
import { compare, serverView } from './views.ts';

export const createMcpServer: Expectation = {
  outcomes: (scene) => {
    const { url } = fieldsOf(scene.call, scene.profile);
    const isTaken = url !== undefined && scene.organization.servers.some((other) => other.url === urlOf(scene, url));
    if (isTaken && scene.profile['duplicates.urls'] === 'refused') return ['conflict'];
    return creationOutcomes(scene, scene.organization.servers);
  },
  succeeded: (scene, body) => {
    const { organization, profile } = scene;
    const shown = body as ServerState;
    const tools = profile.toolsOfNewServer === 'none' ? [] : undefined;
    const server = { ...newcomer(scene, shown), url: urlOf(scene, shown.url), type: profile.mcpDefaultType, tools };
    compare(body, serverView(server, profile), 'server', profile);
    organization.servers.push(server);
  },
};

// A URL that was not sent is made up, but it is one.
function urlOf({ call, profile }: Scene, shown: string): string {
  const { url } = fieldsOf(call, profile);
  if (url === undefined) assert.ok(/^https?:/.test(shown) && URL.canParse(shown), `made up: ${shown}`);
  if (url === undefined) return shown;
  return profile.mcpUrlRules === 'canonicalHttpUrl' ? new URL(url).href : url;
}

export const listMcpServers: Expectation = {
  outcomes: () => ['success'],
  succeeded: ({ organization, profile }, body) => {
    const servers = assertWholeList(body, organization.servers, organization, organization.orders.servers, profile);
    for (const [index, server] of servers.entries()) {
      compare((body as unknown[])[index], serverView(server, profile), 'server', profile);
    }
  },
};

export const listMcpServerTools: Expectation = {
  outcomes: (scene) => [ownServer(scene) === undefined ? serverAbsence(scene) : 'success'],
  whenFound: (scene, outcomes) => (ownServer(scene) === undefined ? [serverAbsence(scene)] : outcomes),
  succeeded: (scene, body) => {
    const { tools } = body as { tools: { name: string; description: string }[] };
    const server = ownServer(scene) as ServerState;
    compare(body, { tools }, 'toolList', scene.profile);
    if (server.tools === undefined) assert.ok(tools.length > 0, 'no made-up tools');
    server.tools ??= tools.map(({ name, description }) => ({ name, description }));
    assert.equal(tools.length, server.tools.length);
    for (const [index, tool] of server.tools.entries()) compare(tools[index], tool, 'tool', scene.profile);
  },
};

function ownServer({ call, organization }: Scene): ServerState | undefined {
  return organization.servers.find(({ id }) => id === call.params.mcpServerId);
}

function serverAbsence(scene: Scene) {
  return absence(isForeign(scene, 'servers', scene.call.params.mcpServerId), scene);
}
