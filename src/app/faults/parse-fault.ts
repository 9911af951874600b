import { lazily } from '../../../lib/remembering.ts';
import { shownValue } from '../../../lib/sentence.ts';
import { loadDocument } from '../../../openapi/contract/load.ts';
import { operationsOf } from '../../../openapi/contract/operations.ts';
import { loadOwnYaml } from '../../../openapi/contract/own-files.ts';
import { Schemas, type Violation } from '../../../openapi/contract/schemas.ts';
import { mockOptions, parseLatency } from '../../options/mock-options.ts';
import { StartError } from '../start-error.ts';
import { type Effect, effectSchemas, momentsOf, nameOf } from './effects.ts';
import { type Fault, isLatencyId, type LatencyOption, latencyId } from './fault.ts';

type FaultSchemas = Record<'FaultOperations' | 'FaultEffect' | 'FaultMoment', Record<string, unknown>>;

const shape = lazily(() =>
  new Schemas({ components: { schemas: loadFaultSchemas() } }).at('#/components/schemas/Fault'),
);

/** The schemas of faults by name (`Fault`, `FaultPatch`, `ListedFault` and what they refer to), as components. */
export function loadFaultSchemas(): Readonly<Record<string, object>> {
  const schemas = loadOwnYaml('src/app/faults/faults.schema.yaml') as FaultSchemas;
  const operations = operationsOf(loadDocument()).map(({ operationId }) => operationId);
  const { properties, violation, moments } = effectSchemas();
  Object.assign(schemas.FaultOperations.items as object, { enum: operations });
  Object.assign(schemas.FaultEffect, { 'x-violation': violation, properties });
  schemas.FaultMoment.description = `${schemas.FaultMoment.description} ${moments}`;
  return schemas;
}

export function parseFault(value: unknown): Fault | Violation[] {
  const violations = shape()(value);
  if (violations.length > 0) return violations;
  const fault = structuredClone(value) as Fault;
  const combined = [...rangeViolations(fault.effect), ...momentViolations(fault), ...idViolations(fault)];
  return combined.length > 0 ? combined : fault;
}

function rangeViolations(effect: Effect): Violation[] {
  if (!('latency' in effect) || !('fromMs' in effect.latency)) return [];
  const { fromMs, toMs } = effect.latency;
  if (fromMs <= toMs) return [];
  return [{ location: ['effect', 'latency', 'toMs'], code: 'minimum', message: `must be fromMs (${fromMs}) or more` }];
}

function momentViolations({ effect, moment }: Fault): Violation[] {
  if (moment === undefined || momentsOf(effect).includes(moment)) return [];
  const reason = `${nameOf(effect)} damages a response, and there is none before the state change`;
  return [
    {
      location: ['moment'],
      code: 'combination',
      message: `cannot be before: ${reason}; leave it out, or choose after`,
    },
  ];
}

function idViolations({ id, effect }: Fault): Violation[] {
  if (!isLatencyId(id) || 'latency' in effect) return [];
  const message = `must be latency: the id ${id} is reserved for the latency of the settings`;
  return [{ location: ['effect'], code: 'reserved', message }];
}

/** The faults that a mock starts with: its option `latency`. Throws a {@link StartError}. */
export function startingFaults(latency: LatencyOption | undefined): Fault[] {
  if (latency === undefined) return [];
  const given = typeof latency === 'object' ? latency : parseLatency(String(latency));
  const parsed = parseFault({ id: latencyId, effect: { latency: given ?? {} } });
  if (!Array.isArray(parsed)) return [parsed];
  const { words } = mockOptions.latency.form;
  throw new StartError('OPTION_INVALID', `latency must be ${words}; it is ${shownValue(latency)}.`);
}
