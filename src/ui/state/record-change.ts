import { type Fields, isFields, parseJson } from '../shared/json.ts';
import { recordFields } from './record-fields.gen.ts';

/** A field of a record: how its value is typed, and whether null removes it. */
export interface RecordField {
  name: string;
  kind: 'text' | 'number' | 'json' | readonly string[];
  isRequired?: boolean;
  takesNull?: boolean;
}

export const fieldsIn: Readonly<Record<keyof typeof recordFields, readonly RecordField[]>> = recordFields;

/** Fields as they are typed, by field. */
export type Texts = Readonly<Record<string, string>>;

// Stands for the whole record as text.
export const whole = '{}';

/** A value as it is typed. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** The fields of a record that can be edited. */
export function partOf(fields: readonly RecordField[], value: Fields): Fields {
  const there = fields.filter(({ name }) => (value[name] ?? undefined) !== undefined);
  return Object.fromEntries(there.map(({ name }) => [name, value[name]]));
}

/** What is typed into the editor of a record, and what the same fields were when their editing began. */
export interface Draft {
  edits: Texts;
  began: Texts;
}

/** A draft as one text in place of one for each field, or the other way round. Throws where a text is not JSON. */
export function turned(fields: readonly RecordField[], value: Fields, { edits, began }: Draft, isNew: boolean): Draft {
  if (edits[whole] === undefined) {
    const asOne = (texts: Texts) => {
      const typed = changesOf(fields, value, texts, isNew);
      return { [whole]: textOf(partOf(fields, isNew ? typed : { ...value, ...typed })) };
    };
    return { edits: asOne(edits), began: asOne(began) };
  }
  const [was, is] = [recordIn(began[whole] ?? ''), recordIn(edits[whole])];
  const names = Object.keys(changeOf(was, is));
  const unknown = names.filter((name) => !fields.some((field) => field.name === name));
  if (unknown.length > 0) throw new Error(`No field for ${unknown.join(', ')}. Remove it, or stay in JSON.`);
  const textsOf = (record: Fields) => Object.fromEntries(names.map((name) => [name, textOf(record[name])]));
  return { edits: textsOf(is), began: textsOf(was) };
}

/** What is sent: the fields that were changed, or all of a new record. Throws where a text is not JSON. */
export function changesOf(fields: readonly RecordField[], value: Fields, edits: Texts, isNew: boolean): Fields {
  const text = edits[whole];
  if (text !== undefined) return isNew ? recordIn(text) : changeOf(partOf(fields, value), recordIn(text));
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

function recordIn(text: string): Fields {
  const typed = parseJson(text);
  if (!isFields(typed)) throw new Error('The record must be an object: { … }.');
  return typed;
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
export function changeOf(before: Fields, after: Fields): Fields {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? null]));
}
