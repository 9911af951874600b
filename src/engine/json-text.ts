import type { Profile } from '../../openapi/contract/profile.ts';

/** Writes a value as JSON text. */
export type ToJson = (value: unknown) => string;

/** Writes JSON with keys in the order of the open point `keyOrder`. The text of frozen values is cached. */
export function createJsonText(keyOrder: Profile['keyOrder']): ToJson {
  const kept = new WeakMap<object, string>();
  const isDocumented = keyOrder === 'documented';
  const write = (value: unknown): string => {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    return kept.get(value) ?? keep(value, toText(value));
  };
  const toText = (value: object) => {
    if (Array.isArray(value)) return writeArray(value);
    // Only objects with lists can contain cached texts; all others are written faster in one piece.
    return isDocumented && !Object.values(value).some(Array.isArray) ? JSON.stringify(value) : writeObject(value);
  };
  const keep = (value: object, text: string): string => {
    if (Object.isFrozen(value)) kept.set(value, text);
    return text;
  };
  const writeArray = (values: readonly unknown[]) => `[${values.map(write).join()}]`;
  const writeObject = (value: object) =>
    `{${keysOf(value)
      .map((key) => `${JSON.stringify(key)}:${write(value[key as keyof typeof value])}`)
      .join()}}`;
  const keysOf = isDocumented ? Object.keys : (value: object) => Object.keys(value).reverse();
  return write;
}
