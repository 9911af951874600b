import type { Options } from '../shared/form.tsx';
import type { SandboxData } from '../shared/sandbox-data.ts';

type Values = Readonly<Record<string, string>>;
type Suggest = (data: SandboxData, values: Values) => Options;

const named = ({ id, name = '' }: { id: string; name?: string }) => [id, name] as const;

// Records with content come first: an operation that needs a file can be sent immediately.
const fullFirst = <T>(all: readonly T[], isFull: (each: T) => boolean) => [
  ...all.filter(isFull),
  ...all.filter((each) => !isFull(each)),
];

const filesIn = (data: SandboxData, values: Values) => data.files.get(values['path.driveId'] ?? '') ?? [];

const suggesters: Readonly<Record<string, Suggest>> = {
  agentId: ({ agents }) => fullFirst(agents, ({ revisions }) => revisions.length > 0).map(named),
  revisionId: ({ agents }, values) =>
    agents
      .filter(({ id }) => id === values['path.agentId'])
      .flatMap(({ revisions }) => revisions.map(({ id }, index) => [id, `revision ${index + 1}`] as const))
      .reverse(),
  driveId: ({ drives }) => fullFirst(drives, ({ holds }) => holds.files > 0).map(named),
  fileId: (data, values) => filesIn(data, values).map(({ id, path }) => [id, path]),
  mcpServerId: ({ mcpServers }) => mcpServers.map(named),
};

const mostShown = 200;

/** Values for a field from the current state: existing ids, and paths in the chosen drive. */
export function suggestionsFor(name: string, data: SandboxData | undefined, values: Values): Options {
  if (data === undefined) return [];
  const suggest = suggesters[name] ?? (/path|directory/i.test(name) ? suggestPaths : undefined);
  return suggest?.(data, values).slice(0, mostShown) ?? [];
}

function suggestPaths(data: SandboxData, values: Values): Options {
  const files = filesIn(data, values);
  const file = files.find(({ id }) => id === values['path.fileId']);
  if (file !== undefined) return [[file.path, 'where it is now']];
  const folders = new Set(files.flatMap(({ path }) => foldersAbove(path)));
  return [...folders].sort().map((path) => [path, 'directory']);
}

/** `/a/b/c.txt` is below `/a` and `/a/b`. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(1, -1);
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`);
}

const noneYet: Readonly<Record<string, string>> = {
  agentId: 'There are no agents. Add one in State.',
  revisionId: 'This agent has no revisions.',
  driveId: 'There are no drives yet. Create one with createDrive.',
  fileId: 'This drive has no files. Add one in State.',
  mcpServerId: 'There are no MCP servers yet. Create one with createMcpServer.',
};

/** Says that a required field is empty, and what to do if there is no id for it. */
export function missingWords(name: string, data: SandboxData | undefined, values: Values): string {
  const isNone = data !== undefined && suggestionsFor(name, data, values).length === 0;
  return `${name} is required. ${isNone ? (noneYet[name] ?? '') : ''}`.trim();
}
