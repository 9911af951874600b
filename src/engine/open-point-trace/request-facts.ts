import type { ContractDocument, ParameterObject, SchemaObject } from '../../../openapi/contract/document.ts';
import { dereference } from '../../../openapi/contract/document.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';
import type { Profile } from '../../../openapi/contract/profile.ts';
import { type Carrier, carriersOf, keyIn } from '../../../openapi/contract/security.ts';
import { isJson, parseJson } from '../body.ts';
import type { Call } from '../call.ts';

/** What one operation takes in: as the contract states it, with the names of its parameters as they are played. */
export interface Intake {
  stated: Operation;
  played: Operation;
  /** Whether the key is judged before the input. */
  isKeyFirst: boolean;
  /** The query parameters by their own names in the contract. */
  parameters: ReadonlyMap<string, { name: string; minimum: number; maximum: number }>;
  /** Their names as they are played. */
  names: ReadonlySet<string>;
  /** The fields that are shown for its body. */
  fields: readonly string[];
  /** Whether the request carries a path in the drive. */
  takesPath: boolean;
  carriers: readonly Carrier[];
}

/** What the operation `stated` takes in, where `played` is the same one as a profile plays it. */
export function readIntake(
  document: ContractDocument,
  stated: Operation,
  played: Operation,
  isKeyFirst: boolean,
): Intake {
  const parameters = stated.parameters.flatMap((parameter, index) => {
    const { name } = played.parameters[index] as ParameterObject;
    const { minimum = -Infinity, maximum = Infinity } = parameter.schema as SchemaObject;
    return parameter.in === 'query' ? [[parameter.name, { name, minimum, maximum }] as const] : [];
  });
  const body = dereference(document, stated.definition.requestBody)?.content['application/json']?.schema;
  const fields = Object.keys(dereference<SchemaObject>(document, (body ?? {}) as SchemaObject).properties ?? {});
  const takesPath = fields.includes('path') || parameters.some(([key]) => key === 'path');
  return {
    ...{ stated, played, isKeyFirst, fields, takesPath, carriers: carriersOf(document) },
    parameters: new Map(parameters),
    names: new Set(parameters.map(([, { name }]) => name)),
  };
}

/** What a request has in it that only some choices treat differently. Read when it is needed. */
export class RequestFacts {
  readonly intake: Intake;
  readonly profile: Profile;
  readonly #call: Partial<Call>;
  #query: URLSearchParams | undefined;
  #body: { value: unknown } | undefined;

  constructor(intake: Intake, profile: Profile, call: Partial<Call>) {
    this.intake = intake;
    this.profile = profile;
    this.#call = call;
  }

  get hasQuery(): boolean {
    return (this.#call.query ?? '') !== '';
  }

  get hasUnknownParameter(): boolean {
    return this.hasQuery && this.#parameters.keys().some((name) => !this.intake.names.has(name));
  }

  /** The value of a query parameter, by its own name in the contract. */
  parameter(key: string): string | undefined {
    const name = this.intake.parameters.get(key)?.name;
    return name === undefined || !this.hasQuery ? undefined : (this.#parameters.get(name) ?? undefined);
  }

  isOutOfRange(key: string): boolean {
    const text = this.parameter(key);
    const { minimum, maximum } = this.intake.parameters.get(key) ?? { minimum: 0, maximum: 0 };
    return text !== undefined && /^-?\d+$/.test(text) && (Number(text) < minimum || Number(text) > maximum);
  }

  get pathValues(): readonly string[] {
    return Object.values(this.#call.pathParameters ?? {});
  }

  get hasTwoKeys(): boolean {
    const { headers = {} } = this.#call;
    const { carriers } = this.intake;
    if (carriers.filter(({ header }) => headers[header] !== undefined).length < 2) return false;
    return new Set(carriers.flatMap((carrier) => keyIn(carrier, headers) ?? [])).size > 1;
  }

  get bodyBytes(): number {
    return this.#call.body?.length ?? Number(this.#call.headers?.['content-length'] ?? 0);
  }

  /** Whether the body is declared as something other than JSON. */
  get hasOtherMediaType(): boolean {
    const { headers = {}, body } = this.#call;
    const encoding = headers['content-encoding'] ?? 'identity';
    return body !== undefined && body.length > 0 && encoding === 'identity' && !isJson(headers['content-type']);
  }

  /** The body, where it is JSON. */
  get body(): unknown {
    this.#body ??= this.#readBody();
    return this.#body.value;
  }

  /** The fields of the body; undefined unless it is an object. */
  get fields(): Readonly<Record<string, unknown>> | undefined {
    const { body } = this;
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? (body as Readonly<Record<string, unknown>>)
      : undefined;
  }

  /** The path of a move or of a tree, as it was sent. */
  get path(): unknown {
    return this.fields?.path ?? this.parameter('path');
  }

  get #parameters(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#call.query);
    return this.#query;
  }

  #readBody(): { value: unknown } {
    const { body } = this.#call;
    if (body === undefined || body.length === 0) return { value: undefined };
    const read = parseJson(body);
    return 'value' in read ? read : { value: undefined };
  }
}
