import { singleQuoted } from '../../reporting/text.ts';
import type { Exchange } from './exchange.ts';
import { changedKeys } from './near-keys.ts';

/** A command for a POSIX shell that repeats a request. Keys come from the environment. */
export function toCurl({ request }: Exchange): string {
  const method = request.method === 'GET' ? [] : ['-X', request.method];
  const headers = Object.entries(request.headers).flatMap(([name, value]) => ['-H', quoted(`${name}: ${value}`)]);
  const body = request.body === undefined ? [] : ['--data-raw', quoted(request.body)];
  return ['curl', '-i', ...method, ...headers, ...body, quoted(request.url)].join(' ');
}

// The longer names first: each begins with that of the key.
const variables = (
  [
    ['<API_KEY>', 'AGENT_PLATFORM_API_KEY'],
    ['<OTHER_API_KEY>', 'AGENT_PLATFORM_OTHER_API_KEY'],
  ] as const
).flatMap(([name, variable]) => [
  ...changedKeys.map(({ shown, shell }) => [`${name} ${shown}`, shell(variable)] as const),
  [name, `"$${variable}"`] as const,
]);

// Only the variables are in double quotes.
function quoted(text: string): string {
  const line = variables.reduce((all, [shown, variable]) => all.replaceAll(shown, `'${variable}'`), singleQuoted(text));
  return line.replace(/(?<=")''$/, '');
}
