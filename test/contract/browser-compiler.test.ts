/** Ajv cannot run in a page with a strict policy. What replaces it there must find the same. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCompiler as createAjv } from '../../openapi/contract/compiler.ts';
import { contractFor } from '../../openapi/contract/contract-for.ts';
import { defaultProfile } from '../../openapi/contract/profile.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import { loadControlDocument } from '../../src/app/admin-api/handlers.ts';
import { drawProfile } from '../../src/app/draw-profile.ts';
import { loadFaultSchemas } from '../../src/app/faults/parse-fault.ts';
import { createCompiler, knownKeywords } from '../../src/browser/instead/compiler.ts';
import { seedSchema } from '../../src/domain/resources.ts';
import { depth, randomSeed } from '../support/depth.ts';
import { valuesNear } from '../support/near-values.ts';

type Schema = Readonly<Record<string, unknown>>;

const openPoints = loadOpenPoints();
const drawn = Array.from({ length: depth(1, 20) }, (_, index) =>
  contractFor(drawProfile(openPoints, defaultProfile(openPoints), 'visible', randomSeed + index)),
);
const sources: [name: string, document: object][] = [
  ['seeds', seedSchema()],
  ['faults', { components: { schemas: loadFaultSchemas() } }],
  ['the admin API', loadControlDocument()],
  ...drawn.map((contract, index): [string, object] => [`drawn profile ${index}`, contract]),
];

/** The components of a document, and the schemas of its parameters and bodies. */
function schemasIn(document: object): Schema[] {
  const { components, paths, $defs } = document as {
    components?: { schemas?: object };
    paths?: object;
    $defs?: object;
  };
  // Its definitions are found through it.
  if ($defs !== undefined) return [document as Schema];
  const found: Schema[] = [...Object.values(components?.schemas ?? {})];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('schema' in value && typeof value.schema === 'object') found.push(value.schema as Schema);
    Object.values(value).forEach(visit);
  };
  visit(paths);
  visit({ ...components, schemas: undefined });
  return found;
}

function keywordsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const parts = Object.entries(schema);
  return parts.flatMap(([keyword, part]) => {
    if (/^(properties|dependentSchemas|\$defs)$/.test(keyword))
      return [keyword, ...Object.values(part).flatMap(keywordsIn)];
    if (/^(anyOf|allOf)$/.test(keyword)) return [keyword, ...part.flatMap(keywordsIn)];
    return /^(items|additionalProperties|not|if|then|else)$/.test(keyword) ? [keyword, ...keywordsIn(part)] : [keyword];
  });
}

const annotations = /^(\$schema|\$defs|title|description|default|examples?|deprecated|readOnly|writeOnly|x-.*)$/;

describe('the validator for pages', () => {
  it('knows every keyword of every schema', () => {
    const used = new Set(sources.flatMap(([, document]) => schemasIn(document).flatMap(keywordsIn)));
    expect(used.size).toBeGreaterThan(20);
    expect([...used].filter((name) => !annotations.test(name) && !knownKeywords.includes(name))).toEqual([]);
  });

  it.for(sources)('finds what Ajv finds, in the same order: %s', ([, document]) => {
    for (const mostErrors of [1_000, 1]) {
      const ajv = createAjv(document, mostErrors);
      const own = createCompiler(document, mostErrors);
      for (const schema of schemasIn(document)) {
        const expected = ajv(schema);
        const found = own(schema);
        fc.assert(
          fc.property(valuesNear(schema, document), (value) => {
            expect(seen(found(value))).toEqual(seen(expected(value)));
          }),
          { seed: randomSeed, numRuns: depth(6, 100) },
        );
      }
    }
  });

  it.each([
    ['elements', { type: 'array', items: { $ref: '#/$defs/Item' } }, long(3_000, () => ({ a: 1, b: [1, 'b', 2] }))],
    [
      'elements of elements',
      { type: 'array', items: { type: 'array', items: { $ref: '#/$defs/Item' } } },
      long(50, () => long(300, () => ({}))),
    ],
    ['unknown fields', { type: 'object', additionalProperties: false }, mapOf(3_000, 1)],
    ['fields of a map', { type: 'object', additionalProperties: { $ref: '#/$defs/Item' } }, mapOf(3_000, { a: 1 })],
    [
      'a branch that is not met',
      {
        anyOf: [
          { type: 'array', items: { type: 'string' } },
          { type: 'array', minItems: 9_999 },
        ],
      },
      long(3_000, () => 1),
    ],
    [
      'a branch that is met',
      { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'array' }] },
      long(3_000, () => 1),
    ],
    ['what is forbidden', { not: { type: 'array', items: { type: 'number' } } }, long(3_000, () => 1)],
    ['twins', { type: 'array', uniqueItems: true }, [...long(3_000, (index) => ({ index, a: 1 })), { a: 1, index: 7 }]],
  ])('keeps and counts the same errors of a value that is wrong in many places: %s', (_, schema, value) => {
    const whole = {
      ...schema,
      $defs: {
        Item: { type: 'object', required: ['a', 'c'], properties: { b: { type: 'array', items: { type: 'string' } } } },
      },
    };
    for (const mostErrors of [10, 500, 5_000, 1_000_000]) {
      const [expected, found] = [createAjv, createCompiler].map((create) => create(whole, mostErrors)(whole)(value));
      expect(found).toEqual(expected?.map(({ schemaPath: __, data: ___, ...error }: Found[number] & Extra) => error));
    }
  });
});

function long<T>(length: number, item: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => item(index));
}

function mapOf(size: number, value: unknown): object {
  return Object.fromEntries(long(size, (index) => [`key ${index}`, value]));
}

type Found = ReturnType<ReturnType<ReturnType<typeof createAjv>>>;

/** What Ajv tells besides. */
interface Extra {
  schemaPath?: string;
  data?: unknown;
}

function seen(errors: Found) {
  // Ajv names more parameters than anybody reads.
  return errors.map(({ params, ...error }) => {
    const { missingProperty, additionalProperty, type, allowedValues } = params;
    const { keyword, instancePath, message, schema, parentSchema } = error;
    const parts = { missingProperty, additionalProperty, type, allowedValues };
    return { keyword, instancePath, message, schema, parentSchema, ...parts };
  });
}
