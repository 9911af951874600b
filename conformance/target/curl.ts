import { inQuotes, toCurlCommand } from '../../lib/curl.ts';
import type { Exchange } from './exchange.ts';
import { changedKeys } from './near-keys.ts';

/** A command for a POSIX shell that repeats a request. Keys come from the environment. */
export function toCurl({ request }: Exchange): string {
  const headers = Object.entries(request.headers);
  return toCurlCommand({ ...request, headers }, { word: quoted, options: ['-i'], separator: ' ' });
}

// Longer names first: each starts with the key's name.
const variables = (
  [
    ['<API_KEY>', 'AGENT_PLATFORM_API_KEY'],
    ['<OTHER_API_KEY>', 'AGENT_PLATFORM_OTHER_API_KEY'],
  ] as const
).flatMap(([name, variable]) => [
  ...changedKeys.map(({ shown, shell }) => [`${name} ${shown}`, shell(variable)] as const),
  [name, `"$${variable}"`] as const,
]);

// Only variables are in double quotes.
function quoted(text: string): string {
  const line = variables.reduce((all, [shown, variable]) => all.replaceAll(shown, `'${variable}'`), inQuotes(text));
  return line.replace(/(?<=")''$/, '');
}
