// Building blocks of the legal variants.
import { createHash } from 'node:crypto';
import type { Ask, Operation, Reply, Settings, Variant } from './engine.ts';
import { no } from './engine.ts';
import type { DriveRow, Line } from './journal.ts';
import { itemsOf, resourcesOf } from './variant.ts';

export const set =
  (settings: Partial<Settings>): Variant =>
  () => ({ settings });
// Another status for the success of an operation.
export const success =
  (op: Operation, status: number, body?: (ask: Ask, now: any) => unknown): Variant =>
  () => ({
    tell(reply, ask) {
      if (reply.ok && ask.op === op) {
        reply.status = status;
        if (body) reply.body = body(ask, reply.body);
      }
    },
  });
// Another status for refusals, where the specification leaves it open.
export const refusal =
  (from: number, status: number, ...ops: Operation[]): Variant =>
  () => ({
    tell(reply, ask) {
      if (
        !reply.ok &&
        reply.status === from &&
        ask.op &&
        ask.op !== 'mcp.tools' &&
        (ops.length === 0 || ops.includes(ask.op))
      )
        reply.status = status;
    },
  });
// Another body for all refusals.
export const errors =
  (body: (reply: Reply) => unknown, headers: Record<string, string> = {}): Variant =>
  () => ({
    tell(reply) {
      if (!reply.ok) {
        reply.body = body(reply);
        Object.assign(reply.headers, headers);
      }
    },
  });
// Further fields in every resource of a reply.
export const extra =
  (fields: (item: any) => object, ...ops: Operation[]): Variant =>
  () => ({
    tell(reply, ask) {
      if (ask.op && ops.includes(ask.op)) for (const item of resourcesOf(reply, ask)) Object.assign(item, fields(item));
    },
  });
// Effects of writes that come later.
export const late =
  (ms: number, ...types: Line['type'][]): Variant =>
  () => ({
    note: (line) => (types.includes(line.type) ? { ...line, effectAt: line.at + ms } : line),
  });
export const headers =
  (more: Record<string, string> | ((ask: Ask, reply: Reply) => Record<string, string>)): Variant =>
  () => ({
    tell(reply, ask) {
      Object.assign(reply.headers, typeof more === 'function' ? more(ask, reply) : more);
    },
  });
// Another way to write the same JSON text.
export const text =
  (write: (body: any) => string): Variant =>
  () => ({
    tell(reply) {
      if (reply.body !== undefined && reply.status !== 204) reply.raw = write(reply.body);
    },
  });
// Another way to write date-times.
export const times =
  (write: (time: string) => string): Variant =>
  () => ({
    tell(reply, ask) {
      for (const item of resourcesOf(reply, ask))
        for (const field of ['createdAt', 'updatedAt', 'modifiedAt']) if (item[field]) item[field] = write(item[field]);
    },
  });
export const slow =
  (ms: number, ...ops: Operation[]): Variant =>
  () => ({
    tell(reply, ask) {
      if (ops.length === 0 || (ask.op && ops.includes(ask.op))) reply.wait = ms;
    },
  });
export const order = (compare: (a: DriveRow, b: DriveRow) => number): Variant =>
  set({ order: (rows) => [...rows].sort(compare) });
export const listed =
  (op: Operation, change: (items: any[]) => void): Variant =>
  () => ({
    tell(reply, ask) {
      if (ask.op === op && reply.ok) change(itemsOf(reply, ask));
    },
  });
export const field =
  (op: Operation[], change: (item: any) => void): Variant =>
  () => ({
    tell(reply, ask) {
      if (ask.op && op.includes(ask.op)) for (const item of resourcesOf(reply, ask)) change(item);
    },
  });
// Refuses some unusual input with this status.
export const refuse =
  (op: Operation, status: number, when: (ask: Ask) => boolean): Variant =>
  () => ({ act: (ask, next) => (ask.op === op && when(ask) ? no(status, 'this is not accepted here') : next()) });
export const hash = (kind: string, n: number): string => createHash('sha256').update(`${kind}/${n}`).digest('hex');
