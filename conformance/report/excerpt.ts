/*
 * The part of a long list that matters in a finding: the items whose ids it names, or else the first one, and how many
 * others there are. Members beside the list, such as `pagination`, stay.
 */
import { isObject } from '../../openapi/reading/messages.ts';
import { idOf } from '../target/expectations.ts';

/** Shorter bodies are shown whole. */
const shortBody = 450;
const mostNamed = 5;

/** The JSON of a body as a finding shows it. Undefined if it is short, or has no list of several items. `finding`: its words. */
export function excerptOf(json: unknown, finding: string): string | undefined {
  if (JSON.stringify(json ?? null).length <= shortBody) return undefined;
  if (Array.isArray(json)) return json.length < 2 ? undefined : listText(json, finding);
  if (!isObject(json)) return undefined;
  const members = Object.entries(json);
  if (!members.some(([, value]) => Array.isArray(value) && value.length > 1)) return undefined;
  const texts = members.map(([name, value]) => {
    const isLong = Array.isArray(value) && value.length > 1;
    return `${JSON.stringify(name)}:${isLong ? listText(value, finding) : JSON.stringify(value)}`;
  });
  return `{${texts.join(',')}}`;
}

function listText(items: readonly unknown[], finding: string): string {
  const isNamed = (item: unknown) => namesWhole(finding, idOf(item) ?? '');
  const places = items.flatMap((item, index) => (isNamed(item) ? [index] : [])).slice(0, mostNamed);
  const shown = places.length === 0 ? [0] : places;
  const parts: string[] = [];
  let next = 0;
  for (const place of shown) {
    parts.push(...others(place - next), JSON.stringify(items[place]));
    next = place + 1;
  }
  return `[${[...parts, ...others(items.length - next)].join(', ')}]`;
}

function others(count: number): string[] {
  return count === 0 ? [] : [`… ${count} more`];
}

/** Whether a text contains an id, not as a part of a longer one. */
function namesWhole(text: string, id: string): boolean {
  if (id === '') return false;
  const isWordAt = (index: number) => /[\w-]/.test(text[index] ?? '');
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1))
    if (!isWordAt(at - 1) && !isWordAt(at + id.length)) return true;
  return false;
}
