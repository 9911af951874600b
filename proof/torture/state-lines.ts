import type { OrganizationSnapshot } from '../../src/domain/snapshot.ts';

/** The state of an organization as sorted lines, so that states can be compared one by one. */
export function linesOf({ keys, agents, drives, mcpServers, listed }: OrganizationSnapshot): string[] {
  return [
    ...keys.map((key) => `key ${key}`),
    ...agents.map((agent) => `agent ${agent.id} ${agent.name} ${agent.activeRevisionId} ${agent.revisions.length}`),
    ...drives.map(({ id, name }) => `drive ${id} ${name}`),
    ...drives.flatMap(({ id, files }) => files.map((file) => `file ${id} ${file.id} ${file.path}`)),
    ...mcpServers.map(({ id, name, url }) => `server ${id} ${name} ${url}`),
    ...Object.entries(listed).flatMap(([kind, ids]) => ids.map((id) => `listed ${kind} ${id}`)),
  ].toSorted();
}

/** What a write does to the lines: which it takes away, and which it adds. New ids are not known before it is answered. */
export interface Effect {
  removed: readonly string[];
  added: readonly string[];
}

export const nothing: Effect = { removed: [], added: [] };

/** The lines after an effect. */
export function after(lines: readonly string[], { removed, added }: Effect): string[] {
  return [...lines.filter((line) => !removed.includes(line)), ...added].toSorted();
}

/** What leads from some lines to others. */
export function between(before: readonly string[], now: readonly string[]): Effect {
  const [was, is] = [new Set(before), new Set(now)];
  return { removed: [...was].filter((line) => !is.has(line)), added: [...is].filter((line) => !was.has(line)) };
}

const newId = '<new>';

/** Whether two effects are the same, whatever ids the new things have. */
export function isSameEffect(one: Effect, other: Effect): boolean {
  return textOf(one) === textOf(other);
}

function textOf({ removed, added }: Effect): string {
  const masked = added.map((line) => line.replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, newId));
  return JSON.stringify([removed.toSorted(), masked.toSorted()]);
}
