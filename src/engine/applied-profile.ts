/*
 * To add a response header, set it here or in `engine.ts`. To let pages read it, add it to `exposed` in
 * `src/node/cors.ts`.
 */

import type { ContractDocument } from '../../openapi/contract/document.ts';
import { errorShapes, type Problem } from '../../openapi/contract/error-bodies.ts';
import type { Operation, OperationId } from '../../openapi/contract/operations.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { refusals } from '../../openapi/contract/refusals.ts';
import type { Runtime } from '../domain/organizations.ts';
import type { Refusal } from '../domain/refusal.ts';
import { chosenKey } from './authenticate.ts';
import type { Answer, Call, JudgedCall, RequestHeaders } from './call.ts';
import { type CompiledContract, compileContract } from './compile-contract.ts';
import type { CompiledOperation } from './input.ts';
import type { KeptPages } from './kept-pages.ts';
import type { MockClock } from './mock-clock.ts';
import { toProblem } from './problem.ts';
import type { Views } from './views.ts';

/** What an engine runs with: profile, random seed, and a clock that can be set. */
export type ProfileRuntime = Runtime & { readonly clock: MockClock };

/** A profile in use: how calls are read and responses written. Organizations with the same profile share one. */
export class AppliedProfile {
  readonly runtime: ProfileRuntime;
  readonly #compiled: CompiledContract;
  /** For successes with a body. All share one object, since the request log keeps it. */
  readonly #bodyHeaders: Record<string, string>;

  constructor(runtime: ProfileRuntime) {
    this.runtime = runtime;
    this.#bodyHeaders = Object.freeze({ 'content-type': runtime.profile.answerMediaType });
    this.#compiled = compileContract(runtime.profile);
  }

  get profile(): Profile {
    return this.runtime.profile;
  }

  /** The contract under the profile. */
  get contract(): ContractDocument {
    return this.#compiled.contract;
  }

  get operations(): readonly Operation[] {
    return this.#compiled.operations;
  }

  get authHeaders(): CompiledContract['authHeaders'] {
    return this.#compiled.authHeaders;
  }

  get views(): Views {
    return this.#compiled.views;
  }

  get pages(): KeptPages {
    return this.#compiled.pages;
  }

  /** The key in the headers of a request, or the error response. */
  keyOf(headers: RequestHeaders): string | Refusal {
    return chosenKey(this.authHeaders, this.profile, headers);
  }

  operation(id: OperationId): CompiledOperation {
    return this.#compiled.compiled.get(id) as CompiledOperation;
  }

  /** A success. */
  success(call: Call, body: unknown, headers: Record<string, string>): Answer {
    const { status } = this.operation(call.operationId);
    const openPoints = this.#compiled.openPointTrace(undefined, call);
    if (body === undefined) return { status, headers, openPoints };
    const all = isEmpty(headers) ? this.#bodyHeaders : { ...this.#bodyHeaders, ...headers };
    return { status, headers: all, body: this.#compiled.toJson(body), openPoints };
  }

  /** An error response. `call` is what is known about the request. */
  refusal(refusal: Refusal, call: Partial<JudgedCall>, headers: Record<string, string>): Answer {
    const status = refusals[refusal.refused].status(this.profile);
    const openPoints = this.#compiled.openPointTrace(refusal.refused, call);
    const answer = this.problem(toProblem(refusal, status), { ...this.#challenge(refusal.refused), ...headers });
    return { ...answer, openPoints, notes: [refusal.detail] };
  }

  /** An error in the shape of the profile: open point `errorBody`. */
  problem(problem: Problem, headers: Record<string, string> = {}): Answer {
    const { errorBody, answerMediaType } = this.profile;
    const { status } = problem;
    if (errorBody === 'empty') return { status, headers };
    const shape = errorShapes[errorBody];
    const contentType = shape.contentType === 'application/json' ? answerMediaType : shape.contentType;
    const body = this.#compiled.toJson(shape.toBody(problem));
    return { status, headers: { 'content-type': contentType, ...headers }, body };
  }

  #challenge(refused: Refusal['refused']): Record<string, string> {
    if (refused !== 'unauthenticated' || this.profile.wwwAuthenticate === 'absent') return {};
    return { 'www-authenticate': 'Bearer realm="agent-platform"' };
  }
}

function isEmpty(headers: Readonly<Record<string, string>>): boolean {
  for (const _ in headers) return false;
  return true;
}
