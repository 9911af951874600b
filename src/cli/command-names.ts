/** The names of all commands, of one word or two. What each does: `commands.ts`. */
export const commandNames = [
  ...(['mock', 'proxy', 'vary', 'contract', 'conformance'] as const),
  ...(['conformance doctor', 'conformance restore', 'conformance compare'] as const),
];

export type CommandName = (typeof commandNames)[number];

/** The words that may follow `name` to make the name of another command. */
export function secondWords(name: string): string[] {
  return commandNames.flatMap((full) => (full.startsWith(`${name} `) ? [full.slice(name.length + 1)] : []));
}
