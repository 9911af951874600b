import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { RefusalKind } from '../../../openapi/contract/refusals.ts';
import type { Organization } from '../../../src/domain/organizations.ts';
import { isRefusal, refuse } from '../../../src/domain/refusal.ts';
import type { Answer, Call } from '../../../src/engine/call.ts';
import type { Break, Engine } from '../mutant.ts';

/** An engine as it was before its fault. */
export interface Sound {
  answer(call: Call): Answer;
  /** The organization of the key of a call; undefined when the key is missing or not valid. */
  caller(call: Call): Organization | undefined;
}

/** What a broken engine answers to a call. */
type Fault = (call: Call, sound: Sound, engine: Engine) => Answer;

/** The same for a caller whose key is valid. */
type CallerFault = (call: Call, sound: Sound, caller: Organization, engine: Engine) => Answer;

/** Puts a fault before every call. Calls without a valid key come to it as well. */
export function onEveryCall(fault: Fault): Break {
  return (engine) => {
    const answer = engine.answer.bind(engine);
    const authenticate = engine.authenticate.bind(engine);
    let isInside = false;
    const answerSoundly = (call: Call): Answer => {
      isInside = true;
      try {
        return answer(call);
      } finally {
        isInside = false;
      }
    };
    const caller = (call: Call) => {
      const judged = authenticate(call.headers);
      return isRefusal(judged) ? undefined : judged;
    };
    // The server asks for the key of a writing call before it reads the body: that comes to nothing, the fault decides.
    const anyone = engine.store.organizations[0];
    engine.authenticate = (headers) => (isInside || anyone === undefined ? authenticate(headers) : anyone);
    engine.answer = (call) => fault(call, { answer: answerSoundly, caller }, engine);
  };
}

/** Puts a fault before the calls of one operation. */
export function onCallsOf(operationId: OperationId, fault: Fault): Break {
  return onEveryCall((call, sound, engine) =>
    call.operationId === operationId ? fault(call, sound, engine) : sound.answer(call),
  );
}

/** The same for callers whose key is valid; others are refused as they should be. */
export function onCallersOf(operationId: OperationId, fault: CallerFault): Break {
  return onCallsOf(operationId, (call, sound, engine) => {
    const caller = sound.caller(call);
    return caller === undefined ? sound.answer(call) : fault(call, sound, caller, engine);
  });
}

/** Hands other calls on than valid callers sent. */
export function changeCalls(
  operationId: OperationId,
  change: (call: Call, caller: Organization, engine: Engine) => Call,
): Break {
  return onCallersOf(operationId, (call, sound, caller, engine) => sound.answer(change(call, caller, engine)));
}

/** The answer to a call that the engine has no reason to refuse. */
export function refusal(engine: Engine, kind: RefusalKind): Answer {
  return engine.refusal(refuse(kind, 'This request was refused.'));
}

/** Whether an answer is a success. */
export function isSuccess(answer: Answer): boolean {
  return answer.status < 300;
}

/** An organization that is not this one. */
export function otherThan(organization: Organization, { store }: Engine): Organization {
  return store.organizations.find((candidate) => candidate !== organization) ?? organization;
}

/** The call with the key of an organization in place of its own. */
export function asOrganization({ store }: Engine, call: Call, organization: Organization | undefined): Call {
  return withKey(
    call,
    store.keys.find((key) => store.organizationOf(key) === organization),
  );
}

/** The call with a key, or with none. */
export function withKey(call: Call, key: string | undefined): Call {
  return { ...call, headers: { ...call.headers, 'x-api-key': key, authorization: undefined } };
}

/** A field of the JSON body of a call; undefined when there is no such field. */
export function sentField(call: Call, name: string): unknown {
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(call.body));
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
  } catch {
    return undefined;
  }
}

/** The call with another JSON body. */
export function withBody(call: Call, body: Readonly<Record<string, unknown>>): Call {
  return { ...call, body: new TextEncoder().encode(JSON.stringify(body)) };
}

/** A query parameter of a call, decoded; undefined when it was not sent. */
export function sentParameter(call: Call, name: string): string | undefined {
  return new URLSearchParams(call.query).get(name) ?? undefined;
}

/** A query parameter of a call that is an integer. */
export function sentInteger(call: Call, name: string): number | undefined {
  const text = sentParameter(call, name);
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : undefined;
}

/** The call with query parameters changed; undefined takes one away. */
export function withQuery(call: Call, changes: Readonly<Record<string, string | number | undefined>>): Call {
  const query = new URLSearchParams(call.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name);
    else query.set(name, String(value));
  }
  return { ...call, query: query.toString() };
}

/** The call with path parameters changed. */
export function withPath(call: Call, changes: Readonly<Record<string, string>>): Call {
  return { ...call, pathParameters: { ...call.pathParameters, ...changes } };
}

/** A path parameter of a call. */
export function idIn(call: Call, name: 'agentId' | 'driveId' | 'fileId' | 'mcpServerId'): string {
  return call.pathParameters[name] ?? '';
}

/** The answer with its JSON body changed. */
export function withAnswered(answer: Answer, change: (body: Record<string, unknown>) => unknown): Answer {
  if (!isSuccess(answer) || answer.body === undefined) return answer;
  return { ...answer, body: JSON.stringify(change(JSON.parse(answer.body) as Record<string, unknown>)) };
}
