// How entries are written down.
import type { Ask, Operation, Reply, Variant } from './engine.ts';

export type Kind = 'must' | 'should' | 'legal';
export type Class = 'sequence' | 'caller' | 'time' | 'volume' | 'combination' | 'single';

// What it takes to notice a fault, besides one request.
export const takes: Record<Class, string> = {
  sequence: 'earlier requests',
  caller: 'a particular caller',
  time: 'time',
  volume: 'many requests or items',
  combination: 'two conditions at once',
  single: 'nothing else',
};

export interface Item {
  name: string;
  kind: Kind;
  class: Class;
  section: string;
  what: string;
  variant: Variant;
}

type Maker = (name: string, section: string, what: string, variant: Variant) => Item;
export const makers = (sort: Class): Record<Kind, Maker> => {
  const make =
    (kind: Kind): Maker =>
    (name, section, what, variant) => ({ name, kind, class: sort, section, what, variant });
  return { must: make('must'), should: make('should'), legal: make('legal') };
};

// The body of a successful reply to one of these operations, or undefined.
export function good(reply: Reply, ask: Ask, ...ops: Operation[]): any {
  return reply.ok && ask.op !== null && ops.includes(ask.op) ? reply.body : undefined;
}
// All items of a list reply, whatever the list is.
export function itemsOf(reply: Reply, ask: Ask): any[] {
  if (!reply.ok) return [];
  if (ask.op === 'agents.list' || ask.op === 'mcp.list') return reply.body;
  if (ask.op === 'drives.list') return reply.body.data;
  return [];
}
// All resources in a reply: those of a list, or the one that was made, read or moved.
export function resourcesOf(reply: Reply, ask: Ask): any[] {
  const one = good(reply, ask, 'drives.create', 'mcp.create', 'files.get', 'files.move');
  return one ? [one] : itemsOf(reply, ask);
}
// Several variants as one.
export const joined =
  (...variants: Variant[]): Variant =>
  (lab) => {
    const twists = variants.map((variant) => variant(lab));
    return {
      settings: Object.assign({}, ...twists.map((twist) => twist.settings ?? {})),
      who: (ask, next) => twists.reduce((inner, twist) => (twist.who ? () => twist.who!(ask, inner) : inner), next)(),
      rule: (path, ask, next) =>
        twists.reduce((inner, twist) => (twist.rule ? () => twist.rule!(path, ask, inner) : inner), next)(),
      act: (ask, next) =>
        twists.reduce((inner, twist) => (twist.act ? () => twist.act!(ask, inner) as Reply : inner), next)(),
      note: (line, ask) =>
        twists.reduce(
          (lines, twist) => (twist.note ? lines.flatMap((one) => twist.note!(one, ask) ?? []) : lines),
          [line],
        ),
      see: (lines, ask) => twists.reduce((seen, twist) => (twist.see ? twist.see(seen, ask) : seen), lines),
      async tell(reply, ask) {
        for (const twist of twists) await twist.tell?.(reply, ask);
      },
    };
  };
