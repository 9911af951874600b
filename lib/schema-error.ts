/** A schema rule that a value breaks, in Ajv's terms. */
export interface SchemaError {
  keyword: string;
  /** The JSON pointer of the part of the value that breaks it. */
  instancePath: string;
  // biome-ignore lint/suspicious/noExplicitAny: each keyword has its own parameters.
  params: Record<string, any>;
  message?: string | undefined;
  /** The value of the keyword in the schema. */
  schema?: unknown;
  /** The schema that has the keyword. */
  parentSchema?: unknown;
  /** How often the value breaks the rule elsewhere, in addition to the listed errors. */
  more?: number;
}
