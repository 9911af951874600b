import type { Profile } from '../../openapi/contract/profile.ts';

/** Writes a value as JSON text. */
export type ToJson = (value: unknown) => string;

/** Writes JSON with keys in the order of the open point `keyOrder`. The text of frozen objects is cached. */
export function createJsonText(keyOrder: Profile['keyOrder']): ToJson {
  const kept = new WeakMap<object, string>();
  const write = (value: unknown): string => {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    return kept.get(value) ?? (Array.isArray(value) ? writeArray(value) : writeObject(value));
  };
  const writeArray = (values: readonly unknown[]): string => {
    let text = '';
    for (const value of values) text += text === '' ? write(value) : `,${write(value)}`;
    return `[${text}]`;
  };
  const writeObject = (value: object): string => {
    let text = '';
    for (const key of keysOf(value)) {
      const member = `${JSON.stringify(key)}:${write(value[key as keyof typeof value])}`;
      text += text === '' ? member : `,${member}`;
    }
    if (Object.isFrozen(value)) kept.set(value, `{${text}}`);
    return `{${text}}`;
  };
  const keysOf = keyOrder === 'documented' ? Object.keys : (value: object) => Object.keys(value).reverse();
  return write;
}
