// The tools of MCP servers (4.10).

import { joined, say } from '../../lib/sentence.ts';
import { items, member } from '../reading/messages.ts';
import type { Collection } from './collection.ts';
import type { Call } from './exchange.ts';
import type { Report } from './findings.ts';
import type { Told } from './organization.ts';

/** A response to a request for the tools of a server: 404 means that there is no such server, and only that. */
export function judgeFound(call: Call, servers: Collection, { foreignResources }: Told, report: Report): void {
  const { status, params } = call;
  const { mcpServerId: id } = params;
  if (id === undefined) return;
  const known = servers.items.get(id);
  const rule = 'listMcpServerTools.registered-server-is-found';
  if (status === 404 && known !== undefined && known.creation === undefined) servers.noteAbsence(known, call, rule);
  if (status === 404 && known !== undefined && servers.madeBefore(call).includes(known)) {
    const expected = say`the tools of server ${id}`;
    report(rule, 'certain', { expected, actual: say`status 404`, proof: [known.number] });
  }
  // 403 and 400 are other words for it to some (`foreignResourceStatus`, `malformedIds`).
  const isAnswered = call.outcome === 'success' || status === 410;
  // A server of another organization is there for all where they share (`foreignResources`).
  if (isAnswered && foreignResources !== 'shared' && servers.lacks(id) && call.hasOnly()) {
    const expected = say`status 404, since no server of the list has the id ${id}`;
    const proof = [servers.whole?.call.number];
    report('listMcpServerTools.unknown-server-is-404', 'certain', { expected, actual: say`status ${status}`, proof });
  }
}

/** The lists of tools that a server has shown, by its id. */
export class ShownTools {
  readonly #shown = new Map<string, { names: string; number: number }[]>();

  /** A server may change its tools, and not be reached for a moment. That they come back as they were is no change. */
  judge(call: Call, report: Report): void {
    const names = items(member(call.json, 'tools')).map((tool) => String(member(tool, 'name')));
    const id = call.params.mcpServerId ?? '';
    if (names.length === 0) return;
    const text = names.sort().join('\n');
    const shown = this.#shown.get(id) ?? [];
    const last = shown.at(-1);
    if (last !== undefined && last.names !== text && shown.some((one) => one.names === text)) {
      const expected = say`the same tools as last: ${joined(last.names.split('\n').slice(0, 10))}`;
      const actual = say`those of before: ${joined(names.slice(0, 10))}`;
      report('listMcpServerTools.same-tools-each-time', 'maybe', { expected, actual, proof: [last.number] });
    }
    if (last?.names !== text) shown.push({ names: text, number: call.number });
    this.#shown.set(id, shown.slice(-5));
  }
}
