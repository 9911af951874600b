import type { Operation } from '../../../openapi/contract/operations.ts';
import { quote } from '../shared/json.ts';
import type { FormValues, TryRequest } from './request.ts';

/** A request in JavaScript, for browsers and Node. */
export function fetchSnippet({ method, target, headers, body }: TryRequest, origin: string): string {
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${quote(method)},`]),
    ...(headers.length === 0 ? [] : [`  headers: ${recordOf(headers, '  ')},`]),
    ...(body === undefined ? [] : [`  body: ${quote(body)},`]),
  ];
  const url = quote(origin + target);
  const call = options.length === 0 ? `fetch(${url})` : `fetch(${url}, {\n${options.join('\n')}\n})`;
  return `const response = await ${call};\nconsole.log(response.status, await response.text());\n`;
}

/** A call of a client typed by the contract. */
export function typedSnippet(
  { method, path, segments, parameters }: Operation,
  request: TryRequest,
  { values }: FormValues,
  baseUrl: string,
): string {
  const pathValues = segments.flatMap((segment) =>
    'parameter' in segment ? [[segment.parameter, values[`path.${segment.parameter}`] ?? ''] as const] : [],
  );
  const queryValues = parameters
    .filter(({ in: place, name }) => place === 'query' && (values[`query.${name}`] ?? '') !== '')
    .map(({ name, schema }) => [name, values[`query.${name}`] ?? '', isNumber(schema)] as const);
  const params = [
    ...(pathValues.length === 0 ? [] : [`path: ${recordOf(pathValues, '    ')}`]),
    ...(queryValues.length === 0 ? [] : [`query: ${recordOf(queryValues, '    ')}`]),
  ];
  // For this call alone.
  const forced = request.headers.filter(([name]) => name === 'Prefer');
  const options = [
    ...(params.length === 0 ? [] : [`  params: { ${params.join(', ')} },`]),
    ...(forced.length === 0 ? [] : [`  headers: ${recordOf(forced, '  ')},`]),
    ...(request.body === undefined ? [] : [`  body: ${request.body},`]),
  ];
  const headers = request.headers.filter(([name]) => name !== 'Content-Type' && name !== 'Prefer');
  return [
    `import type { paths } from 'agent-platform-contract/types';`,
    `import createClient from 'openapi-fetch';`,
    '',
    `const client = createClient<paths>({ baseUrl: ${quote(baseUrl)}, headers: ${recordOf(headers, '')} });`,
    `const { data, error } = await client.${method}(${quote(path)}${options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`});`,
    'console.log(data ?? error);',
    '',
  ].join('\n');
}

function isNumber(schema: unknown): boolean {
  const { type } = (schema ?? {}) as { type?: unknown };
  return type === 'integer' || type === 'number';
}

function recordOf(pairs: readonly (readonly [string, string, boolean?])[], indent: string): string {
  const members = pairs.map(([name, value, isBare = false]) => {
    const key = /^[a-z_$][\w$]*$/i.test(name) ? name : quote(name);
    return `${key}: ${isBare && /^-?\d+$/.test(value) ? value : quote(value)}`;
  });
  const line = `{ ${members.join(', ')} }`;
  if (members.length === 0) return '{}';
  return line.length < 80 ? line : `{\n${members.map((member) => `${indent}  ${member},`).join('\n')}\n${indent}}`;
}
