import type { Profile } from '../../openapi/contract/profile.ts';

/** Writes a value as JSON text. */
export type ToJson = (value: unknown) => string;

/** Writes JSON with keys in the order of the open point `keyOrder`. The text of frozen values is kept. */
export function createJsonText(keyOrder: Profile['keyOrder']): ToJson {
  const kept = new WeakMap<object, string>();
  const write = (value: unknown): string => {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    return kept.get(value) ?? keep(value, Array.isArray(value) ? writeArray(value) : writeObject(value));
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
  const keysOf = keyOrder === 'documented' ? Object.keys : (value: object) => Object.keys(value).reverse();
  return write;
}
