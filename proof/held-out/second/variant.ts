import type { Answer, Ctx, Machine, Op } from './model.ts';
import type { Tester } from './tester.ts';

export interface Entry {
  name: string;
  kind: 'must' | 'should' | 'legal';
  section: string;
  what: string;
}
/** Tells whether the fault is to be seen over HTTP. */
export type Demo = (t: Tester) => Promise<boolean>;
export interface Variant extends Entry {
  change(m: Machine): void;
  demo?: Demo;
}

type Maker = (name: string, section: string, what: string, change: (m: Machine) => void, demo: Demo) => Variant;

export const must: Maker = (name, section, what, change, demo) => ({
  name,
  kind: 'must',
  section,
  what,
  change,
  demo,
});
export const should: Maker = (name, section, what, change, demo) => ({
  ...must(name, section, what, change, demo),
  kind: 'should',
});
export function legal(name: string, section: string, what: string, change: (m: Machine) => void): Variant {
  return { name, kind: 'legal', section, what, change };
}

export function wrap<K extends keyof Machine>(m: Machine, key: K, make: (old: Machine[K]) => Machine[K]): void {
  m[key] = make(m[key]);
}

type Run = (ctx: Ctx) => Answer | Promise<Answer>;

export function around(m: Machine, op: Op, make: (old: Run, ctx: Ctx) => Answer | Promise<Answer>): void {
  const old = m.run[op];
  m.run[op] = (ctx) => make(old, ctx);
}

/** Changes what an operation answers when it succeeds. */
export function after(m: Machine, op: Op, change: (a: Answer, ctx: Ctx) => Answer | undefined) {
  const old = m.run[op];
  m.run[op] = async (ctx) => {
    const answer = await old(ctx);
    return change(answer, ctx) ?? answer;
  };
}

export function afterEach(m: Machine, ops: readonly Op[], change: (a: Answer, ctx: Ctx) => Answer) {
  for (const op of ops) after(m, op, change);
}

type Show = 'showAgent' | 'showDrive' | 'showFile' | 'showServer' | 'showTool';

/** Changes one field of a resource wherever (or where `when` says) it is shown. */
export function field(
  show: Show,
  name: string,
  change: (value: any, item: any, ctx: Ctx) => unknown,
  when: (item: any, ctx: Ctx) => boolean = () => true,
): (m: Machine) => void {
  return (m) =>
    wrap(m, show, (old: any) => (item: any, ctx: Ctx) => {
      const shown = old(item, ctx);
      return name in shown && when(item, ctx) ? { ...shown, [name]: change(shown[name], item, ctx) } : shown;
    });
}

export function without(
  show: Show,
  name: string,
  when: (item: any, ctx: Ctx) => boolean = () => true,
): (m: Machine) => void {
  return (m) =>
    wrap(m, show, (old: any) => (item: any, ctx: Ctx) => {
      const { [name]: dropped, ...rest } = old(item, ctx);
      return when(item, ctx) ? rest : { ...rest, [name]: dropped };
    });
}
