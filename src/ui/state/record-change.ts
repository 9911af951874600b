import { parseJson } from '../shared/json.ts';
import { recordFields } from './record-fields.gen.ts';

/** A field of a record: how its value is typed, and whether null removes it. */
export interface RecordField {
  name: string;
  kind: 'text' | 'number' | 'json' | readonly string[];
  isRequired?: boolean;
  takesNull?: boolean;
}

/** The forms of records that can be edited. */
export const fieldsIn: Readonly<Record<keyof typeof recordFields, readonly RecordField[]>> = recordFields;

export type Values = Readonly<Record<string, unknown>>;

// Stands for the whole record as text.
export const whole = '{}';

/** A value as it is typed. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** The fields of a record that can be edited. */
export function partOf(fields: readonly RecordField[], value: Values): Values {
  return Object.fromEntries(
    fields.filter(({ name }) => value[name] !== undefined).map(({ name }) => [name, value[name]]),
  );
}

/** What is sent: the fields that were changed, or all of a new record. Throws where a text is not JSON. */
export function changesOf(
  fields: readonly RecordField[],
  value: Values,
  edits: Readonly<Record<string, string>>,
  isNew: boolean,
): Values {
  const text = edits[whole];
  if (text !== undefined) {
    const typed = parseJson(text);
    if (typeof typed !== 'object' || typed === null || Array.isArray(typed))
      throw new Error('The record must be an object: { … }.');
    return isNew ? (typed as Values) : changeOf(partOf(fields, value), typed as Values);
  }
  const texts = isNew
    ? { ...Object.fromEntries(fields.map(({ name }) => [name, textOf(value[name])])), ...edits }
    : edits;
  const typed = fields.flatMap((field) => {
    const own = texts[field.name];
    return own === undefined || (isNew && own === '' && !field.isRequired)
      ? []
      : [[field.name, typedValue(field, own)]];
  });
  return Object.fromEntries(typed);
}

// What is not a number is sent as text: the mock says what is wrong with it.
function typedValue({ name, kind, takesNull = false }: RecordField, text: string): unknown {
  if (text === '' && (takesNull || kind !== 'text')) return null;
  if (kind === 'number') return /^-?\d+$/.test(text) ? Number(text) : text;
  if (typeof kind !== 'string' && (text === 'true' || text === 'false')) return text === 'true';
  if (kind !== 'json') return text;
  try {
    return parseJson(text);
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`);
  }
}

/** The change from one record to another: fields that differ, and null for removed ones. */
export function changeOf(before: Values, after: Values): Values {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? null]));
}
