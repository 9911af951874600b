import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';

/** One rule of a schema that a value breaks, in the terms of Ajv. */
export interface SchemaError {
  keyword: string;
  /** The JSON pointer of the part of the value that breaks it. */
  instancePath: string;
  // biome-ignore lint/suspicious/noExplicitAny: each keyword has parameters of its own.
  params: Record<string, any>;
  message?: string | undefined;
  /** The value of the keyword in the schema. */
  schema?: unknown;
  /** The schema that has the keyword. */
  parentSchema?: unknown;
}

/** The rules of one schema that a value breaks; none when it is valid. */
export type Check = (value: unknown) => readonly SchemaError[];

// ajv-formats is CommonJS: its callable is the module itself, or the module's default, by loader.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

/**
 * Compiles schemas that may refer to those of a contract. With `isComplete` it finds all errors, else the first. Ajv makes
 * code while it runs, which a page with a strict policy forbids: `src/browser/instead` has the twin for browsers.
 */
export function createCompiler(document: object, isComplete: boolean): (schema: object) => Check {
  const ajv = new Ajv2020({ allErrors: isComplete, verbose: true, validateSchema: false, allowUnionTypes: true });
  addFormats(ajv);
  ajv.addVocabulary(['x-open-point', 'x-should-have', 'x-violation', 'example']);
  const schemas = (document as { components?: { schemas?: Record<string, object> } }).components?.schemas ?? {};
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, `#/components/schemas/${name}`);
  return (schema) => {
    const validate = ajv.compile(schema);
    return (value) => (validate(value) ? [] : (validate.errors as SchemaError[]));
  };
}
