/** A request of an example. */
export interface SentRequest {
  method: string;
  /** Path and query, without the base address. */
  target: string;
  headers: Record<string, string>;
  /** The headers that the example names, as a reader should see them. */
  shownHeaders: readonly string[];
  body: string;
}

const key = 'key-of-meridian';

/** Reads a request as `questions.yaml` writes it. `id` takes the place of `{id}`. */
export function parseRequest(written: string, id: string): SentRequest {
  const [head = '', ...rest] = written.trim().split('\n');
  const [, method = '', target = '', inline = ''] = /^([A-Z]+) (\S+)(?: (.*))?$/.exec(head) ?? [];
  if (method === '')
    throw new Error(`docs/questions.yaml: ${JSON.stringify(written)} does not begin with "METHOD /path".`);
  const gap = rest.indexOf('');
  const named = gap < 0 ? rest : rest.slice(0, gap);
  const body = filled(gap < 0 ? inline : rest.slice(gap + 1).join('\n'));
  return {
    ...{ method, target: target.replaceAll('{id}', id), body },
    headers: headersOf(named, body !== ''),
    shownHeaders: shown(named),
  };
}

/** The named headers. An empty `X-API-Key` is shown in words, unless the key is in the other header. */
function shown(named: readonly string[]): string[] {
  const isElsewhere = named.some((line) => /^Authorization:/i.test(line));
  return named.flatMap((line) => (/^X-API-Key:\s*$/i.test(line) ? (isElsewhere ? [] : ['(no key)']) : [line]));
}

function headersOf(named: readonly string[], hasBody: boolean): Record<string, string> {
  const own = named.map((line): [string, string] => {
    const [name = '', ...value] = line.split(':');
    return [name.toLowerCase(), value.join(':').trim()];
  });
  const usual = { 'x-api-key': key, ...(hasBody && { 'content-type': 'application/json' }) };
  const all = Object.entries({ ...usual, ...Object.fromEntries(own) });
  return Object.fromEntries(all.filter(([, value]) => value !== ''));
}

/** `x{5000}` written out. */
function filled(body: string): string {
  return body.replaceAll(/x\{(\d+)\}/g, (_, count) => 'x'.repeat(Number(count)));
}
