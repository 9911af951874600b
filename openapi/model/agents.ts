// The flags of agents, and what publishing does to them (4.1, 4.2).

import { own, say } from '../../lib/sentence.ts';
import { isObject } from '../reading/messages.ts';
import { ruleOfKeylessEffect } from './authentication.ts';
import type { Call } from './exchange.ts';
import type { Report } from './findings.ts';
import { History } from './history.ts';

interface Flags {
  isPublished: History<boolean>;
  /** The flags as the last list showed them. */
  shown: { isPublished: unknown; hasChanges: unknown; name: unknown; call: Call } | undefined;
}

/** The agents of an organization. */
export class Agents {
  readonly #agents = new Map<string, Flags>();
  readonly #publications: { call: Call; agentId: string; isOwn: boolean }[] = [];
  readonly #settleMs: number;
  /** Whether flags changed although nobody published: then someone else edits agents. */
  #hasOthers = false;

  constructor(settleMs: number) {
    this.#settleMs = settleMs;
  }

  /** A publication that was sent, by the organization itself or by someone who must not publish here. */
  begin(call: Call, isOwn: boolean): void {
    const { agentId } = call.params;
    if (agentId === undefined) return;
    this.#publications.push({ call, agentId, isOwn });
    if (isOwn) this.#at(agentId).isPublished.write(true, call);
  }

  judgeList(list: readonly unknown[], call: Call, report: Report): void {
    for (const item of list) {
      if (!isObject(item) || typeof item.id !== 'string') continue;
      const flags = this.#at(item.id);
      if (typeof item.isPublished === 'boolean') this.#judgePublished(item.id, flags, item.isPublished, call, report);
      this.#judgeBystander(item.id, flags, item, call, report);
      const { isPublished, hasChanges, name } = item;
      flags.shown = { isPublished, hasChanges, name, call };
    }
  }

  // It follows from the meaning of the flag that a publication sets it, and nothing here takes it back.
  #judgePublished(id: string, { isPublished, shown }: Flags, value: boolean, call: Call, report: Report): void {
    const possible = isPublished.possibleAt(call) ?? [];
    if (!value && possible.length > 0 && possible.every((known) => known.value) && !this.#hasOthers) {
      const wasShown = shown?.isPublished === true;
      const rule = `publishAgentRevision.agent-${wasShown ? 'stays-published' : 'is-published-afterwards'}`;
      const proof = possible.map(({ number }) => number);
      report(rule, 'maybe', { expected: say`isPublished true of ${id}`, actual: say`false`, proof });
    }
    isPublished.read(value, call, (one, other) => one === other);
  }

  // A publication changes the flags of its agent only (4.2).
  #judgeBystander(id: string, { shown }: Flags, item: Record<string, unknown>, call: Call, report: Report): void {
    if (shown === undefined || this.#hasOthers) return;
    const changed = (['isPublished', 'hasChanges'] as const).find(
      (name) => typeof item[name] === 'boolean' && typeof shown[name] === 'boolean' && item[name] !== shown[name],
    );
    const isSince = ({ call: { endMs, startMs } }: { call: Call }) =>
      endMs + this.#settleMs > shown.call.startMs && startMs < call.endMs;
    const since = this.#publications.filter(isSince);
    const ofOwn = since.some(
      ({ agentId, isOwn, call: { outcome } }) => agentId === id && isOwn && outcome !== 'refused',
    );
    if (changed === undefined || ofOwn) return;
    const intruder = since.find(({ agentId, isOwn }) => agentId === id && !isOwn);
    const other = since.find(({ isOwn, call: { outcome } }) => isOwn && outcome === 'success');
    this.#hasOthers ||= intruder === undefined && other === undefined;
    const expected = say`${own(changed)} ${String(shown[changed])} of ${id}`;
    const grounds = {
      expected,
      actual: say`${String(item[changed])}`,
      proof: [shown.call.number, intruder?.call.number ?? other?.call.number],
    };
    if (intruder !== undefined) report(ruleOfIntruder(intruder.call), 'maybe', grounds);
    else if (other !== undefined) report('publishAgentRevision.only-its-agent-is-published', 'maybe', grounds);
  }

  #at(id: string): Flags {
    const flags = this.#agents.get(id) ?? { isPublished: new History<boolean>(this.#settleMs), shown: undefined };
    this.#agents.set(id, flags);
    return flags;
  }
}

function ruleOfIntruder(call: Call): string {
  return call.organization === undefined
    ? ruleOfKeylessEffect(call)
    : 'organization.foreign-resources-are-out-of-reach';
}
