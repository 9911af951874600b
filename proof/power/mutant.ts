import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Profile } from '../../openapi/contract/profile.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { ToolsOf } from './asking-front.ts';

/** What a mutant's fault belongs to. */
export type FaultClass =
  | 'authentication'
  | 'isolation'
  | 'status'
  | 'shape'
  | 'pagination'
  | 'path rule'
  | 'state'
  | 'transport';

/** Where the fault sits: in the store, in the engine before it, in the finished answer, or on the wire. */
export type FaultPlace = 'store' | 'engine' | 'answer' | 'wire';

/** One answer on its way out of a mutant, as HTTP has it. */
export interface WireAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What a fault changes of a request before the sound mock gets it. */
export interface Overrides {
  method?: string;
  /** The request target: path and query, below `/v0.1`. */
  path?: string;
  /** Laid over the headers that were sent. */
  headers?: Record<string, string>;
  /** Makes the body from the one that was sent. */
  body?: (sent: string) => string;
}

/** What the sound mock answers to a request, as it came or with something changed. To be called once. */
type Forward = (overrides?: Overrides) => Promise<WireAnswer>;

/** What a fault on the wire does to a request: answers by itself, or hands on and changes what comes. */
export type WireFault = (request: IncomingMessage, response: ServerResponse, forward: Forward) => Promise<void>;

// Mutants name the engine by this, so that it can move.
export type { Engine };

/** Breaks the engine of one mock, in place. The store is never reset afterwards. */
export type Break = (engine: Engine) => void;

/** A server with exactly one fault. */
export interface Mutant {
  /** Kebab-case, unique, says the fault: `offset-is-ignored`. */
  id: string;
  class: FaultClass;
  place: FaultPlace;
  /** The requirement it breaks, as `requirements.yaml` names it. */
  requirement: string;
  /** The check that must catch it. */
  check: string;
  /** The fault in one sentence, for the figures. */
  fault: string;
  /** What the mock uses so that the fault can show; the defaults otherwise. */
  profile?: Partial<Profile>;
  break?: Break;
  /** Stands between the wire and the mock. */
  wire?(engine: Engine): WireFault;
  /**
   * Present where the run hosts an MCP server: how the tools of servers that were registered are found out. Made anew for
   * each run.
   */
  tools?(): ToolsOf;
  /** The operations that differ without reaching the fault, where that is legal: it shows in other requests only. */
  shownBy?: readonly string[];
  /** Present where some requests are never answered: how long a run over it waits for each. */
  timeoutMs?: number;
  /** The path of the base URL, where it is another than `/v0.1`. */
  prefix?: string;
}

/** The first mutant of each family: the same class of fault in the same place. */
export function oneOfEachFamily(mutants: readonly Mutant[]): Mutant[] {
  const families = Map.groupBy(mutants, (mutant) => [mutant.class, mutant.place, mutant.prefix].join());
  return [...families.values()].flatMap((family) => family.slice(0, 1));
}
