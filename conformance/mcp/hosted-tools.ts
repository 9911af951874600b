import { asJson, type Sentence, say } from '../../lib/sentence.ts';

/** A tool, with the fields of the interface. */
export interface Tool {
  name: string;
  description: string;
}

/** The last segment of the URLs of the MCP server that the suite starts. Each has its own tools. */
export const hostPaths = ['mcp', 'sse'] as const;
export type HostPath = (typeof hostPaths)[number];

/** The tools offered at a path: names with all characters that MCP allows, and descriptions that are easy to garble. */
export function offeredTools(runId: string, path: HostPath): Tool[] {
  return [
    { name: `Look_Up.${path}-${runId}`, description: `Finds “what was meant”, façade or 東京 🚀, for ${runId}.` },
    { name: `${runId}.${path}_2`, description: `First line of ${runId}.\nSecond: <b>50 %</b> & "it's" {a} $b \\n.` },
    { name: `x-${path}--${runId}`, description: 'x' },
  ];
}

/** How a list of tools, in any order, differs from the offered ones; empty if it does not. */
export function differences(offered: readonly Tool[], listed: readonly Partial<Tool>[]): Sentence[] {
  const unknown = listed.filter(({ name }) => !offered.some((tool) => tool.name === name));
  return [
    ...offered.flatMap((tool) => differencesOf(tool, listed)),
    ...unknown.map(({ name }) => say`${asJson(name)} is not offered`),
  ];
}

function differencesOf({ name, description }: Tool, listed: readonly Partial<Tool>[]): Sentence[] {
  const [found, ...more] = listed.filter((tool) => tool.name === name);
  if (found === undefined) return [say`"${name}" is missing`];
  if (more.length > 0) return [say`"${name}" is listed ${more.length + 1} times`];
  if (found.description === description) return [];
  return [say`"${name}" has the description ${asJson(found.description)}`];
}
