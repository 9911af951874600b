import type { ProxyOptions, ValidatingProxy } from './proxy/create-proxy.ts';

export { contractFor } from '../openapi/contract/contract-for.ts';
export type { ContractDocument } from '../openapi/contract/document.ts';
export { loadDocument, loadRequirements } from '../openapi/contract/load.ts';
export type { OperationId } from '../openapi/contract/operations.ts';
export { type Choices, defaultProfile, type OpenPointId, type Profile } from '../openapi/contract/profile.ts';
export type { Requirement } from '../openapi/contract/requirements.ts';
export { loadOpenPoints } from '../openapi/points/index.ts';
export type { Choice, OpenPoint } from '../openapi/points/open-point.ts';
export type { components, operations, paths } from '../openapi/types.default.gen.ts';
export type { Effect, FaultMoment as Moment } from './app/faults/effects.ts';
export type {
  Fault,
  FaultMatch as Strike,
  FaultPatch,
  ListedFault,
  Timing,
} from './app/faults/fault.ts';
export { FaultError, type FaultErrorCode } from './app/faults/fault.ts';
export type { Faults } from './app/faults/faults.ts';
export type { Exchange } from './app/request-log.ts';
export { StartError, type StartErrorCode } from './app/start-error.ts';
export type { Seed } from './domain/seed.ts';
export { createMock, type MockOptions } from './http/create-mock.ts';
export type { Mock } from './http/mock-handle.ts';
export type { LiveMcpOptions } from './options/mock-options.ts';
export type { ProxyOptions, ValidatingProxy } from './proxy/create-proxy.ts';
export type { ExchangeViolation, ProxyExchange } from './proxy/exchange.ts';
export type { ProxySummary } from './proxy/summary.ts';

/** Starts a proxy; loads its code on first call. Rejects with a {@link StartError} that shows the error and the fix. */
export async function createProxy(options: ProxyOptions): Promise<ValidatingProxy> {
  return (await import('./proxy/create-proxy.ts')).createProxy(options);
}
