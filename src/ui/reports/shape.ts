/**
 * What a part of a file must look like. `refuse` returns the error in a value with its place; undefined if there is
 * none. Unknown members are allowed, so that newer files can still be read.
 */
export interface Shape<T> {
  refuse(value: unknown, at: string): string | undefined;
  /** Type only: the type of an accepted value. */
  readonly holds?: T;
}

/** The type of the values of a shape. */
export type Held<S> = S extends Shape<infer T> ? T : never;

type Fields = Readonly<Record<string, Shape<unknown>>>;
type Members<R extends Fields, O extends Fields> = { readonly [K in keyof R]: Held<R[K]> } & {
  readonly [K in keyof O]?: Held<O[K]>;
};

function simple<T>(what: string, is: (value: unknown) => boolean): Shape<T> {
  return { refuse: (value, at) => (is(value) ? undefined : `${at} must be ${what}`) };
}

const isRecord = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

export const text = simple<string>('a string', (value) => typeof value === 'string');
export const number = simple<number>('a number', (value) => typeof value === 'number');
export const flag = simple<boolean>('true or false', (value) => typeof value === 'boolean');
/** A choice at an open point. */
export const choice = simple<string | number>(
  'a string or a number',
  (value) => typeof value === 'string' || typeof value === 'number',
);

export function oneOf<const V extends readonly string[]>(...values: V): Shape<V[number]> {
  return simple(`one of ${values.join(', ')}`, (value) => values.some((one) => one === value));
}

export function list<T>(item: Shape<T>): Shape<readonly T[]> {
  const array = simple('a list', Array.isArray);
  return {
    refuse: (value, at) => array.refuse(value, at) ?? firstOf(Object.entries(value as unknown[]), () => item, at),
  };
}

export function record<T>(item: Shape<T>): Shape<Readonly<Record<string, T>>> {
  const object = simple('an object', isRecord);
  return {
    refuse: (value, at) => object.refuse(value, at) ?? firstOf(Object.entries(value as object), () => item, at),
  };
}

export function object<R extends Fields, O extends Fields = Record<never, never>>(
  required: R,
  optional: O = {} as O,
): Shape<Members<R, O>> {
  const fields: Fields = { ...required, ...optional };
  const isNeeded = (name: string, value: object) => Object.hasOwn(required, name) || Object.hasOwn(value, name);
  return {
    refuse: (value, at) =>
      simple('an object', isRecord).refuse(value, at) ??
      firstOf(
        Object.keys(fields)
          .filter((name) => isNeeded(name, value as object))
          .map((name) => [name, (value as Record<string, unknown>)[name]]),
        (name) => fields[name],
        at,
      ),
  };
}

/** The first error in some members. */
function firstOf(
  members: readonly (readonly [name: string, value: unknown])[],
  shapeOf: (name: string) => Shape<unknown> | undefined,
  at: string,
): string | undefined {
  for (const [name, value] of members) {
    const wrong = shapeOf(name)?.refuse(value, at === '' ? name : `${at}.${name}`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
