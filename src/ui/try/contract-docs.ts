import {
  type ContractDocument,
  dereference,
  openPointsOf,
  type SchemaObject,
} from '../../../openapi/contract/document.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';
import type { meanings } from '../shared/words.ts';

/** What the contract leaves open at one place, and what applies here. */
export interface OpenPart {
  id: string;
  open: string;
  choice: string;
  means: string;
}

/** A description in the contract under a profile: what is stated, and what is open. */
export interface Described {
  stated: string;
  open: readonly OpenPart[];
}

export function describe(description = ''): Described {
  const [stated = '', unspecified = ''] = description.split('Unspecified:');
  return { stated: (stated.split('\n\n')[0] ?? '').trim(), open: unspecified.split('\n').flatMap(openPartIn) };
}

/** The description of an operation; open is also what its body and its successful response leave open. */
export function describeOperation(document: ContractDocument, { definition }: Operation): Described {
  const { description, requestBody, responses = {} } = definition;
  const success = Object.entries(responses).find(([code]) => code.startsWith('2'))?.[1];
  const { stated, open } = describe(description);
  const parts = [requestBody, success].flatMap((part) =>
    part === undefined ? [] : describe(dereference<{ description?: string }>(document, part).description).open,
  );
  return { stated, open: [...new Map([...open, ...parts].map((part) => [part.id, part])).values()] };
}

/** What a line leaves open, as `openapi/contract/profile-document.ts` writes it: "… Here [`id`](…) is `choice` (…)." */
function openPartIn(line: string): OpenPart[] {
  const [open = '', here = ''] = line.split(' Here [`');
  const [id = '', , choice, ...means] = here.split('`');
  if (choice === undefined) return [];
  return [{ open: open.replace(/^[- ]*/, ''), id, choice, means: means.join('`').slice(2, -2) }];
}

/** The type of a value in words: `integer, 1 to 100`. */
export function typeWords(schema: SchemaObject, itemType = ''): string {
  const { type, enum: values, format, minimum, maximum, minLength, maxLength } = schema;
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' or ');
  const name = [type ?? 'any']
    .flat()
    .join(' or ')
    .replace('array', itemType === '' ? 'array' : `array of ${itemType}`);
  const bounds = [
    format,
    minimum !== undefined && (maximum === undefined ? `${minimum} or more` : `${minimum} to ${maximum}`),
    minLength !== undefined && `${minLength} or more characters`,
    maxLength !== undefined && `up to ${maxLength} characters`,
  ];
  return [name, ...bounds.filter((each) => typeof each === 'string')].join(', ');
}

export interface ResponseField extends Described {
  /** From the body down to it. */
  path: string;
  depth: number;
  type: string;
  presence: keyof typeof meanings;
}

/** The fields of the successful response of an operation, from top to bottom. */
export function responseFields(document: ContractDocument, { answerSchema }: Operation): ResponseField[] {
  return answerSchema === undefined ? [] : fieldsIn(document, answerSchema, '', 0);
}

function fieldsIn(document: ContractDocument, reference: SchemaObject, path: string, depth: number): ResponseField[] {
  const schema = dereference<SchemaObject>(document, reference);
  if (schema.type === 'array') return fieldsIn(document, schema.items as SchemaObject, `${path}[]`, depth);
  const { required = [], 'x-should-have': expected = [] } = schema;
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const own = dereference<SchemaObject>(document, property as SchemaObject);
    // A description beside a reference is about this field, that of the schema about all of its kind.
    const here = describe((property as SchemaObject).description ?? own.description);
    const there = describe(own.description);
    const item = own.type === 'array' ? dereference<SchemaObject>(document, own.items as SchemaObject) : undefined;
    const below = path === '' ? name : `${path}.${name}`;
    const known = new Set(here.open.map(({ id }) => id));
    return [
      {
        ...{ path: below, depth, type: typeWords(own, String(item?.type ?? '')), stated: here.stated },
        open: [...here.open, ...there.open.filter(({ id }) => !known.has(id) && openPointsOf(own).includes(id))],
        presence: expected.includes(name) ? 'expected' : required.includes(name) ? 'always there' : 'may be missing',
      } satisfies ResponseField,
      ...fieldsIn(document, own, below, depth + 1),
    ];
  });
}
