import { singleQuoted } from '../../reporting/text.ts';
import type { Exchange } from './exchange.ts';

/** A command for a POSIX shell that repeats a request. Keys come from the environment. */
export function toCurl({ request }: Exchange): string {
  const method = request.method === 'GET' ? [] : ['-X', request.method];
  const headers = Object.entries(request.headers).flatMap(([name, value]) => ['-H', quoted(`${name}: ${value}`)]);
  const body = request.body === undefined ? [] : ['--data-raw', quoted(request.body)];
  return ['curl', '-i', ...method, ...headers, ...body, quoted(request.url)].join(' ');
}

// In a POSIX shell: the value without its last character.
const shortened = (variable: string) => `"\${${variable}%?}"`;

const variables = [
  ['<API_KEY> without its last character', shortened('AGENT_PLATFORM_API_KEY')],
  ['<OTHER_API_KEY> without its last character', shortened('AGENT_PLATFORM_OTHER_API_KEY')],
  ['<API_KEY>', '"$AGENT_PLATFORM_API_KEY"'],
  ['<OTHER_API_KEY>', '"$AGENT_PLATFORM_OTHER_API_KEY"'],
] as const;

// Only the variables are in double quotes.
function quoted(text: string): string {
  return variables.reduce((line, [shown, variable]) => line.replaceAll(shown, `'${variable}'`), singleQuoted(text));
}
