/*
 * What a fault can do to a call, whatever brings it here. To add an effect: its settings and a row of `effects` here; its
 * words and its form fields on the page in `src/ui/faults/effects.ts`; `docs/states-and-faults.md`. The admin API and its
 * document follow. The schema of everything else in a fault is `faults.schema.yaml`.
 */
import { refusalsOf } from '../../../openapi/contract/contract-for.ts';
import type { Operation } from '../../../openapi/contract/operations.ts';
import { type RefusalKind, refusals } from '../../../openapi/contract/refusals.ts';
import { refuse } from '../../domain/refusal.ts';
import { type Answer, type RequestHeaders, withHeaders } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import { statusProblem } from '../status-problem.ts';

/** `before`: the state does not change. `after`: it changes, then the response is damaged or lost. */
export type FaultMoment = 'before' | 'after';

type NoSettings = Readonly<Record<string, never>>;

/** A delay that is fixed, or random between two bounds, both included. */
export type Latency = { readonly delayMs: number } | { readonly fromMs: number; readonly toMs: number };
/** The code of an error, and when to retry. */
export type Status = { readonly code: number; readonly retryAfterSeconds?: number };

export interface EffectSettings {
  latency: Latency;
  status: Status;
  connectionReset: NoSettings;
  emptyAnswer: NoSettings;
  truncatedBody: NoSettings;
  slowDribble: { readonly overMs: number };
  wrongMediaType: { readonly contentType?: string };
}

export type EffectName = keyof EffectSettings;
/** The effect of a fault: one of these, with its settings. */
export type Effect = { [Name in EffectName]: { readonly [Key in Name]: EffectSettings[Name] } }[EffectName];

/** How an exchange ends without a response. */
export type Loss = 'connectionReset' | 'emptyAnswer';

/** Where the body of a response is written to. `breakOff` closes the connection before all of it was sent. */
export interface Sink {
  write(piece: Uint8Array): void;
  end(): void;
  breakOff(): void;
}

/** Sends a body other than in one piece. Its headers, with its whole length, are sent before. */
export type Damage = (bytes: Uint8Array, sink: Sink) => void;

/** Calls `then` after a delay, unless the client disconnects. */
type Wait = (delayMs: number, then: () => void) => void;

/** The call that an effect applies to. */
interface StruckCall {
  readonly engine: Engine;
  readonly operation: Operation;
  readonly headers: RequestHeaders;
  readonly wait: Wait;
}

interface EffectKind<Settings> {
  /** The moments at which it makes sense, the default first. */
  readonly moments: readonly [FaultMoment, ...FaultMoment[]];
  /** The schema of its settings in the admin API. */
  readonly schema: object;
  /** There is no response. */
  readonly loss?: Loss;
  /** The response in place of the call's own. */
  respond?(settings: Settings, call: StruckCall): Answer;
  /** The call's own response, changed. */
  change?(settings: Settings, answer: Answer): Answer;
  damage?(settings: Settings, call: StruckCall): Damage;
}

const noSettings = { maxProperties: 0, 'x-violation': 'has no settings; write {}' };

const effects: { readonly [Name in EffectName]: EffectKind<EffectSettings[Name]> } = {
  // `faults.ts` adds up the delays of all faults that match.
  latency: { moments: ['before', 'after'], schema: { $ref: '#/components/schemas/FaultLatency' } },
  status: {
    moments: ['before', 'after'],
    schema: {
      type: 'object',
      description:
        "Returns an error response with this code. If the operation has its own response for the code, it is that one; otherwise it has the format of the mock's other errors.",
      additionalProperties: false,
      required: ['code'],
      properties: {
        code: { type: 'integer', minimum: 400, maximum: 599, 'x-violation': 'must be a code from 400 to 599' },
        retryAfterSeconds: {
          type: 'integer',
          minimum: 0,
          maximum: 86_400,
          'x-violation': 'must be whole seconds, from 0 to 86400',
          description: 'Sent as the header Retry-After.',
        },
      },
    },
    respond: toStatusAnswer,
  },
  connectionReset: {
    moments: ['after', 'before'],
    schema: {
      type: 'object',
      description:
        'Resets the connection (TCP RST) instead of responding. If a reused connection is lost, some clients, such as browsers, repeat the request by themselves; the mock then receives it twice.',
      ...noSettings,
    },
    loss: 'connectionReset',
  },
  emptyAnswer: {
    moments: ['after', 'before'],
    schema: {
      type: 'object',
      description:
        'Closes the connection without a response. Clients may repeat the request, as with `connectionReset`.',
      ...noSettings,
    },
    loss: 'emptyAnswer',
  },
  truncatedBody: {
    moments: ['after'],
    schema: {
      type: 'object',
      description: 'Announces the whole body (Content-Length), sends the first half, then closes the connection.',
      ...noSettings,
    },
    damage: () => (bytes, sink) => {
      sink.write(bytes.subarray(0, bytes.length / 2));
      sink.breakOff();
    },
  },
  slowDribble: {
    moments: ['after'],
    schema: {
      type: 'object',
      description: 'Sends the headers immediately and the body piece by piece, the last piece after `overMs`.',
      additionalProperties: false,
      required: ['overMs'],
      properties: { overMs: { $ref: '#/components/schemas/FaultMilliseconds' } },
    },
    damage:
      ({ overMs }, { wait }) =>
      (bytes, sink) =>
        dribble(bytes, overMs, wait, sink),
  },
  wrongMediaType: {
    moments: ['after'],
    schema: {
      type: 'object',
      description: 'Declares a wrong media type; the body stays the same.',
      additionalProperties: false,
      properties: {
        contentType: {
          type: 'string',
          maxLength: 200,
          pattern: '^[!-.0-~]+/[!-.0-~][ -~]*$',
          'x-violation': 'must be a media type, for instance text/plain',
          default: 'text/html',
        },
      },
    },
    change: ({ contentType = 'text/html' }, answer) =>
      'content-type' in answer.headers ? withHeaders(answer, { 'content-type': contentType }) : answer,
  },
};

export function nameOf(effect: Effect): EffectName {
  return Object.keys(effect)[0] as EffectName;
}

/** The moments at which an effect makes sense, the default first. */
export function momentsOf(effect: Effect): EffectKind<never>['moments'] {
  return effects[nameOf(effect)].moments;
}

/** How a call ends under an effect: without a response, or with one. `answer` is its own, if it was carried out. */
export function applyEffect(
  effect: Effect | undefined,
  answer: Answer | undefined,
  call: StruckCall,
): { loss?: Loss; answer?: Answer | undefined; damage?: Damage | undefined } {
  if (effect === undefined) return { answer };
  const [name, settings] = Object.entries(effect)[0] as [EffectName, never];
  const { loss, respond, change, damage } = effects[name] as EffectKind<never>;
  if (loss !== undefined) return { loss };
  if (respond !== undefined) return { answer: respond(settings, call) };
  return { answer: answer && (change?.(settings, answer) ?? answer), damage: damage?.(settings, call) };
}

/** The parts of the schemas of faults that follow from the effects. */
export function effectSchemas() {
  const all = Object.entries(effects).map(([name, { schema, moments }]) => ({ name, schema, moments }));
  const list = (names: readonly string[]) => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const quoted = (wanted: typeof all) => list(wanted.map(({ name }) => `\`${name}\``));
  const first = all.filter(({ moments }) => moments[0] === 'before');
  const damaging = all.filter(({ moments }) => !moments.includes('before'));
  return {
    properties: Object.fromEntries(all.map(({ name, schema }) => [name, schema])),
    violation: `must be exactly one of ${list(all.map(({ name }) => name))}`,
    moments: `By default, ${quoted(first)} apply before, the others after. ${quoted(damaging)} damage a response, so they only apply after.`,
  };
}

const maxPieces = 10;

/**
 * Sends a body piece by piece, the first one immediately and the last one after `overMs`. If there is only one piece,
 * it is sent after `overMs`. Some edges send the headers with the first piece.
 */
function dribble(bytes: Uint8Array, overMs: number, wait: Wait, sink: Sink): void {
  const pieceBytes = Math.ceil(bytes.length / maxPieces);
  const pauseMs = overMs / Math.max(1, Math.ceil(bytes.length / pieceBytes) - 1);
  const writeFrom = (start: number) => {
    sink.write(bytes.subarray(start, start + pieceBytes));
    const next = start + pieceBytes;
    if (next >= bytes.length) sink.end();
    else wait(pauseMs, () => writeFrom(next));
  };
  if (bytes.length === 0) sink.end();
  else if (bytes.length <= pieceBytes) wait(overMs, () => writeFrom(0));
  else writeFrom(0);
}

const detail = 'A fault caused this response. The header X-Fault names the fault.';

/** The operation's own error with the code, if it has one, in the shape of the caller's profile. */
function toStatusAnswer({ code, retryAfterSeconds }: Status, { engine, operation, headers }: StruckCall): Answer {
  const applied = engine.appliedFor(headers);
  const kinds: RefusalKind[] = ['unauthenticated', ...refusalsOf(operation, applied.profile)];
  const kind = kinds.find((one) => refusals[one].status(applied.profile) === code);
  const answer =
    kind === undefined
      ? applied.problem(statusProblem(code, detail))
      : engine.refusal(refuse(kind, detail), undefined, { headers });
  return retryAfterSeconds === undefined ? answer : withHeaders(answer, { 'retry-after': String(retryAfterSeconds) });
}
