import type { ParameterObject, SchemaObject } from '../contract/document.ts';
import type { Operation } from '../contract/operations.ts';
import type { Profile } from '../contract/profile.ts';
import { type AuthHeader, isOddlySpelled, keysOf } from '../contract/security.ts';
import { isJson, isObject, readJson } from './messages.ts';

/** What is known about a request. */
interface SentCall {
  pathParameters: Readonly<Record<string, string>>;
  /** The raw query after the `?`; empty if there is none. */
  query: string;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  body?: Uint8Array | undefined;
  /** Whether both its input is invalid and the resource in its path is unknown. */
  hasTwoFaults?: boolean;
}

/** One operation, and what its requests carry. */
export interface Intake {
  /** As the contract states it, and under the profile. */
  stated: Operation;
  applied: Operation;
  authHeaders: readonly AuthHeader[];
  /** The query parameters by their names in the contract, with the names that the mock uses. */
  parameters: ReadonlyMap<string, { name: string; minimum?: number | undefined; maximum?: number | undefined }>;
  parameterNames: ReadonlySet<string>;
  /** Whether its requests carry a path in the drive. */
  takesPath: boolean;
}

export function readIntake(
  { stated, applied }: Pick<Intake, 'stated' | 'applied'>,
  authHeaders: readonly AuthHeader[],
): Intake {
  const parameters = stated.parameters.flatMap((parameter, index) => {
    const { name } = applied.parameters[index] as ParameterObject;
    const { minimum, maximum } = parameter.schema as SchemaObject;
    return parameter.in === 'query' ? [[parameter.name, { name, minimum, maximum }] as const] : [];
  });
  const takesPath = stated.bodyFields.includes('path') || parameters.some(([key]) => key === 'path');
  const parameterNames = new Set(parameters.map(([, { name }]) => name));
  return { stated, applied, authHeaders, parameters: new Map(parameters), parameterNames, takesPath };
}

/** The features of a request that some choices treat differently. Read on demand. */
export class RequestFacts {
  readonly intake: Intake;
  readonly profile: Profile;
  readonly #call: Partial<SentCall>;
  #read: URLSearchParams | undefined;

  constructor(intake: Intake, profile: Profile, call: Partial<SentCall>) {
    this.intake = intake;
    this.profile = profile;
    this.#call = call;
  }

  /** Whether both the input is invalid and the resource in the path is unknown. */
  get hasTwoFaults(): boolean {
    return this.#call.hasTwoFaults === true;
  }

  /** Whether it comes from a page, possibly of a different origin. */
  get hasOrigin(): boolean {
    return this.#call.headers?.origin !== undefined;
  }

  get hasQuery(): boolean {
    return Boolean(this.#call.query);
  }

  get hasUnknownParameter(): boolean {
    const { parameterNames } = this.intake;
    return this.#parameters.keys().some((name) => !parameterNames.has(name));
  }

  /** The value of a query parameter, by its name in the contract. */
  parameter(key: string): string | undefined {
    return this.#values(key)[0];
  }

  isOutOfRange(key: string): boolean {
    const { minimum = 0, maximum = Infinity } = this.intake.parameters.get(key) ?? {};
    return this.#values(key).some((text) => isInteger(text) && (Number(text) < minimum || Number(text) > maximum));
  }

  isNoInteger(key: string): boolean {
    return !this.#values(key).every(isInteger);
  }

  isRepeated(key: string): boolean {
    return this.#values(key).length > 1;
  }

  get pathValues(): readonly string[] {
    return Object.values(this.#call.pathParameters ?? {});
  }

  get hasTwoKeys(): boolean {
    const keys = keysOf({ headers: this.#call.headers ?? {} }, this.intake.authHeaders);
    return keys.some((key) => key !== keys[0]);
  }

  /** Whether the scheme of a key is written in unusual letter case. */
  get hasUnusualScheme(): boolean {
    return this.intake.authHeaders.some((authHeader) => isOddlySpelled(authHeader, this.#call.headers ?? {}));
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

  /** The body if it is JSON. */
  get body(): unknown {
    const { body } = this.#call;
    if (body === undefined || body.length === 0) return undefined;
    const read = readJson(body);
    return 'value' in read ? read.value : undefined;
  }

  /** The fields of the body; undefined unless it is an object. */
  get fields(): Readonly<Record<string, unknown>> | undefined {
    const { body } = this;
    return isObject(body) ? body : undefined;
  }

  /** The path of a move or of a tree, as it was sent. */
  get path(): unknown {
    return this.intake.stated.bodyFields.includes('path') ? this.fields?.path : this.parameter('path');
  }

  #values(key: string): string[] {
    const name = this.intake.parameters.get(key)?.name;
    return name === undefined ? [] : this.#parameters.getAll(name);
  }

  get #parameters(): URLSearchParams {
    this.#read ??= new URLSearchParams(this.#call.query);
    return this.#read;
  }
}

function isInteger(text: string): boolean {
  return /^-?\d+$/.test(text);
}
