import type { Application } from './base/application.ts';
import type { Facts } from './base/facts.ts';
import type { Context, Handler, OperationName, Reply } from './base/http.ts';
import type { Settings } from './base/settings.ts';
import { Tester } from './tester.ts';

export type Kind = 'must' | 'should' | 'legal';

export interface Entry {
  /** kebab-case, unique, says what is different. */
  name: string;
  kind: Kind;
  /** Section of the specification that it breaks, or that leaves it open. */
  section: string;
  /** One plain sentence: what this server does. */
  what: string;
}

export interface Variant extends Entry {
  /** Runs before the data is seeded. */
  configure: (settings: Settings) => void;
  /** Runs on the seeded application, before it listens. */
  apply: (app: Application) => void;
}

export interface Fault extends Variant {
  /** Throws when the fault cannot be seen. */
  shows: (baseUrl: string, facts: Facts) => Promise<void>;
}

type Apply = (app: Application) => void;
type Check = (tester: Tester) => Promise<void>;

const nothing = (): void => {};

function fault(kind: Kind, name: string, section: string, what: string, apply: Apply, check: Check): Fault {
  return {
    kind,
    name,
    section,
    what,
    configure: nothing,
    apply,
    shows: (baseUrl, facts) => check(new Tester(baseUrl, facts)),
  };
}

/** A fault that breaks a stated fact. */
export function must(name: string, section: string, what: string, apply: Apply, check: Check): Fault {
  return fault('must', name, section, what, apply, check);
}

/** A fault against what any reasonable reader infers; `what` says in its second half why, where that is not plain. */
export function should(name: string, section: string, what: string, apply: Apply, check: Check): Fault {
  return fault('should', name, section, what, apply, check);
}

export function legal(name: string, section: string, what: string, apply: Apply): Variant {
  return { kind: 'legal', name, section, what, configure: nothing, apply };
}

/** A legal variant that also settles something before the data is seeded. */
export function legalSetup(
  name: string,
  section: string,
  what: string,
  configure: (settings: Settings) => void,
  apply: Apply = nothing,
): Variant {
  return { kind: 'legal', name, section, what, configure, apply };
}

// Seams: how a variant wraps a part of the application. Wrappers stack, so variants combine.

type AnyFunction = (...args: any[]) => any;
type MethodName<T> = { [K in keyof T]: T[K] extends AnyFunction ? K : never }[keyof T];
type Method<T, K extends keyof T> = Extract<T[K], AnyFunction>;

/** Replaces a method by one that is given the original first. */
export function around<T extends object, K extends MethodName<T>>(
  target: T,
  key: K,
  wrapper: (original: Method<T, K>, ...args: Parameters<Method<T, K>>) => ReturnType<Method<T, K>>,
): void {
  const original = (target[key] as AnyFunction).bind(target) as Method<T, K>;
  target[key] = ((...args: Parameters<Method<T, K>>) => wrapper(original, ...args)) as T[K];
}

/** Wraps the handler of an operation, behind authentication and body parsing. */
export function aroundOperation(
  app: Application,
  operation: OperationName,
  wrapper: (next: Handler, context: Context) => Reply | Promise<Reply>,
): void {
  const next = app.operations[operation];
  app.operations[operation] = (context) => wrapper(next, context);
}

/** Puts a middleware in front of the named one. */
export function insertBefore(
  app: Application,
  name: string,
  run: (context: Context, next: () => Promise<Reply>) => Reply | Promise<Reply>,
): void {
  const index = app.pipeline.findIndex((middleware) => middleware.name === name);
  app.pipeline.splice(index, 0, { name: `before-${name}`, run });
}

export type Json = any;

/** Changes the body of an operation's successful replies. */
export function mapBody(
  app: Application,
  operation: OperationName,
  change: (body: Json, context: Context) => Json,
): void {
  aroundOperation(app, operation, async (next, context) => {
    const answer = await next(context);
    return { ...answer, body: change(answer.body, context) };
  });
}

export function without(item: Record<string, unknown>, ...fields: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).filter(([field]) => !fields.includes(field)));
}
