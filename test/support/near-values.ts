import fc from 'fast-check';
import { resolvePointer } from '../../openapi/contract/document.ts';

type Schema = Readonly<Record<string, unknown>>;

const texts = [
  ...['', 'x', ' ', '/a/b.txt', '/..', '/a/../b', '/a\nb', 'https://a.example/x', 'ftp://a', 'a b', 'ÄÖ😀'],
  ...['x'.repeat(256), `/${'x'.repeat(1100)}`, '2026-03-02T08:15:00Z', '2026-02-30T08:15:00Z'],
  ...['2026-03-02T08:15:00+01:00', '2026-03-02', '4xx', 'sse'],
];
const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, 0, -1, 1.5, 100, 101, 1e15, [], {}, [1], [[]], { a: 1 }, { '~/': null }),
  fc.constantFrom(...texts),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Values that nearly satisfy a schema: each part has the form in the schema, or a different one. */
export function valuesNear(schema: Schema, document: object, depth = 0): fc.Arbitrary<unknown> {
  if (depth > 7) return junk;
  const inner = (part: unknown) =>
    valuesNear((part === true || part === false ? {} : part) as Schema, document, depth + 1);
  const options: fc.Arbitrary<unknown>[] = [];
  if (schema.$ref !== undefined) options.push(inner(resolvePointer(document, String(schema.$ref))));
  for (const keyword of ['anyOf', 'allOf'])
    for (const part of (schema[keyword] ?? []) as unknown[]) options.push(inner(part));
  for (const keyword of ['then', 'else', 'if']) if (schema[keyword] !== undefined) options.push(inner(schema[keyword]));
  if (schema.enum !== undefined) options.push(fc.constantFrom(...(schema.enum as unknown[])));
  if (schema.const !== undefined) options.push(fc.constant(schema.const));
  const types = [schema.type ?? []].flat() as string[];
  if (types.includes('string')) options.push(fc.constantFrom(...texts), fc.string());
  if (types.some((type) => type === 'integer' || type === 'number')) options.push(numbersNear(schema));
  if (types.includes('boolean')) options.push(fc.boolean());
  if (types.includes('array')) {
    const item = inner(schema.items ?? {});
    options.push(
      fc.array(item, { maxLength: 5 }),
      item.map((one) => [one, one]),
    );
  }
  if (schema.properties !== undefined || types.includes('object')) options.push(objectsNear(schema, inner));
  const usual = options.length === 0 ? junk : fc.oneof(...options);
  return fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: junk });
}

function numbersNear({ minimum = 0, maximum = 10 }: { minimum?: unknown; maximum?: unknown }): fc.Arbitrary<number> {
  const bounds = [Number(minimum), Number(maximum)];
  return fc.oneof(
    fc.constantFrom(...bounds.flatMap((bound) => [bound - 1, bound, bound + 1, bound + 0.5])),
    fc.integer(),
  );
}

function objectsNear(schema: Schema, inner: (part: unknown) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Schema);
  const required = ((schema.required ?? []) as string[]).filter((name) => properties.some(([own]) => own === name));
  const known = Object.fromEntries(properties.map(([name, part]) => [name, inner(part)]));
  const mostly = fc.record(known, { requiredKeys: required });
  const partly = fc.record(known, { requiredKeys: [] });
  const others = fc.dictionary(fc.constantFrom('x', 'nme', 'a/b', '~'), junk, { maxKeys: 2 });
  const more = fc.tuple(fc.oneof(mostly, partly), others).map(([own, other]) => ({ ...other, ...own }));
  return fc.oneof({ weight: 4, arbitrary: mostly }, { weight: 2, arbitrary: partly }, { weight: 2, arbitrary: more });
}
