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
  /** How often the value breaks the rule elsewhere, besides the errors that are there. */
  more?: number;
}
