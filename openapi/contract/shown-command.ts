/** Whether this code runs from its sources, as in a clone of the repository. */
const isClone = import.meta.url.endsWith('.ts');

/**
 * A command line of ours as the reader can type it: by npm in a clone, by npx where the package is installed. `name` is that
 * of the command, for instance `conformance doctor`.
 */
export function shownCommand(name: string, words: readonly string[] = [], inClone = isClone): string {
  const [script = '', ...rest] = name.split(' ');
  if (!inClone) return ['npx agent-platform-contract', name, ...words].join(' ');
  const start = script === 'mock' ? 'npm start' : `npm run ${script}`;
  const all = [...rest, ...words];
  return all.length === 0 ? start : `${start} -- ${all.join(' ')}`;
}
