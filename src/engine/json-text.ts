import type { Profile } from '../../openapi/contract/profile.ts';

/** Writes a value as JSON text. */
export type ToJson = (value: unknown) => string;

/** JSON text with keys in the order that the open point `keyOrder` chose. Text of frozen objects is kept. */
export function createJsonText(keyOrder: Profile['keyOrder']): ToJson {
  const kept = new WeakMap<object, string>();
  const write = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
    return typeof value === 'object' && value !== null ? writeObject(value) : JSON.stringify(value);
  };
  const writeObject = (value: object): string => {
    const known = kept.get(value);
    if (known !== undefined) return known;
    const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
    const ordered = keyOrder === 'documented' ? members : members.reverse();
    const text = `{${ordered.map(([key, inner]) => `${JSON.stringify(key)}:${write(inner)}`).join(',')}}`;
    if (Object.isFrozen(value)) kept.set(value, text);
    return text;
  };
  return write;
}
