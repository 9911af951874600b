import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Answer } from '../../../src/engine/call.ts';
import type { Break } from '../mutant.ts';

/** A JSON object. */
export type Fields = Record<string, unknown>;

/** Changes the answers of an operation that are successful. */
export function inSuccesses(operationId: OperationId, change: (answer: Answer) => Answer): Break {
  return (engine) => {
    const answerSoundly = engine.answer.bind(engine);
    engine.answer = (call) => {
      const answer = answerSoundly(call);
      return call.operationId === operationId && answer.status < 300 ? change(answer) : answer;
    };
  };
}

/** Changes the success code of an operation. */
export function withStatus(operationId: OperationId, status: number): Break {
  return inSuccesses(operationId, (answer) => ({ ...answer, status }));
}

/** Changes the text of successful bodies. */
export function inText(operationId: OperationId, change: (text: string) => string): Break {
  return inSuccesses(operationId, (answer) => ({ ...answer, body: change(answer.body ?? '') }));
}

/** Changes successful bodies that are objects, or makes something else of them. */
export function inBody(operationId: OperationId, change: (body: Fields) => unknown): Break {
  return inSuccesses(operationId, (answer) => {
    const body = JSON.parse(answer.body ?? '{}') as Fields;
    return { ...answer, body: JSON.stringify(change(body)) };
  });
}

/** Changes every item of a list. */
export function inItems(operationId: OperationId, change: (item: Fields) => unknown): Break {
  return inList(operationId, (items) => items.map(change));
}

/** Changes the last item of a list. */
export function inLast(operationId: OperationId, change: (item: Fields) => unknown): Break {
  return inList(operationId, (items) => items.map((item, place) => (place === items.length - 1 ? change(item) : item)));
}

/** Changes a list, wherever the operation shows it. */
export function inList(operationId: OperationId, change: (items: Fields[]) => unknown): Break {
  return inBody(operationId, (body) => {
    if (Array.isArray(body)) return change(body as Fields[]);
    const name = 'tools' in body ? 'tools' : 'data';
    return { ...body, [name]: change(body[name] as Fields[]) };
  });
}

/** An object without one of its fields. */
export function without(fields: Fields, name: string): Fields {
  const { [name]: _, ...rest } = fields;
  return rest;
}

/** The same moment as a timestamp in UTC, at another offset, such as `+02:00`. */
export function atOffset(timestamp: unknown, offset: `${'+' | '-'}${number}:${number}`): string {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  const shiftMs = (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
  return new Date(Date.parse(String(timestamp)) + shiftMs).toISOString().replace('Z', offset);
}
