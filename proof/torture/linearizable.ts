/** One call of a history: what was asked, what came back, and between which moments it took effect. */
export interface Call<Asked, Told> {
  asked: Asked;
  told: Told;
  startedAt: number;
  endedAt: number;
}

/** What a correct server does when it does one thing after the other. */
export interface SequentialModel<State, Asked, Told> {
  initial: State;
  /** The state after a call; undefined where a server in this state cannot have told this. */
  step(state: State, asked: Asked, told: Told): State | undefined;
  /** The same text for the same state. */
  toKey(state: State): string;
}

/** How many states the search looks at before it gives up. */
const mostStates = 2_000_000;

/**
 * Looks for an order of the calls in which each could have told what it told, and none comes before one that had ended
 * when it started (linearizability, by the search of Wing and Gong). Gives undefined where there is one, else the calls
 * of which none can be the next in any order that was tried furthest.
 */
export function findDisorder<State, Asked, Told>(
  calls: readonly Call<Asked, Told>[],
  model: SequentialModel<State, Asked, Told>,
): readonly Call<Asked, Told>[] | undefined {
  const inOrder = calls.toSorted((a, b) => a.startedAt - b.startedAt);
  const seen = new Set<string>();
  const open: Node<State>[] = [{ first: 0, ahead: [], state: model.initial, count: 0 }];
  let furthest = open[0] as Node<State>;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.first === inOrder.length) return undefined;
    if (node.count > furthest.count) furthest = node;
    const key = `${node.first} ${node.ahead.join()} ${model.toKey(node.state)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (seen.size > mostStates) throw new Error(`No order was found among ${mostStates} states. Take fewer clients.`);
    open.push(...nextNodes(node, inOrder, model));
  }
  return candidates(furthest, inOrder).map((index) => inOrder[index] as Call<Asked, Told>);
}

/** A place in the search: all calls before `first` are done, and those `ahead` of it; `count` in all. */
interface Node<State> {
  first: number;
  ahead: readonly number[];
  state: State;
  count: number;
}

function nextNodes<State, Asked, Told>(
  node: Node<State>,
  calls: readonly Call<Asked, Told>[],
  model: SequentialModel<State, Asked, Told>,
): Node<State>[] {
  // The last one is looked at first: mostly, what was answered first was done first.
  const endOf = (index: number) => (calls[index] as Call<Asked, Told>).endedAt;
  const inTurn = candidates(node, calls).sort((a, b) => endOf(b) - endOf(a));
  return inTurn.flatMap((index) => {
    const { asked, told } = calls[index] as Call<Asked, Told>;
    const state = model.step(node.state, asked, told);
    return state === undefined ? [] : [{ ...advanced(node, index), state, count: node.count + 1 }];
  });
}

/** The calls that may be next: those that started before any other that is left had ended. */
function candidates(
  { first, ahead }: Omit<Node<unknown>, 'state'>,
  calls: readonly Call<unknown, unknown>[],
): number[] {
  const done = new Set(ahead);
  const found: number[] = [];
  let firstEnd = Number.POSITIVE_INFINITY;
  for (let index = first; index < calls.length; index++) {
    const call = calls[index] as Call<unknown, unknown>;
    if (call.startedAt > firstEnd) break;
    if (done.has(index)) continue;
    found.push(index);
    firstEnd = Math.min(firstEnd, call.endedAt);
  }
  return found.filter((index) => (calls[index] as Call<unknown, unknown>).startedAt <= firstEnd);
}

function advanced({ first, ahead }: Omit<Node<unknown>, 'state'>, index: number): { first: number; ahead: number[] } {
  const done = new Set([...ahead, index]);
  let next = first;
  while (done.delete(next)) next++;
  return { first: next, ahead: [...done].sort((a, b) => a - b) };
}
