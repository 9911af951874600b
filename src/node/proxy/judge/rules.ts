import { own, type Sentence, say } from '../../../../lib/sentence.ts';
import { contractFor } from '../../../../openapi/contract/contract-for.ts';
import type { ContractDocument } from '../../../../openapi/contract/document.ts';
import { type Operation, type OperationId, operationsOf } from '../../../../openapi/contract/operations.ts';
import type { Profile } from '../../../../openapi/contract/profile.ts';
import { andMore, Schemas, type Violation } from '../../../../openapi/contract/schemas.ts';
import { type AuthHeader, authHeadersOf } from '../../../../openapi/contract/security.ts';
import { loadUsualContract, usualTreeParameter } from '../../../../openapi/contract/usual-input.ts';
import { jsonOf, member, type RequestView, valuesOf } from '../../../../openapi/reading/messages.ts';

/** The name of the tree path parameter in the contract used for judging; on the wire it is an open point. */
export const treeParameter = usualTreeParameter;

/** What exchanges are judged by: the hand-written contract, or the contract under a profile. */
export interface Rules {
  document: ContractDocument;
  schemas: Schemas;
  operations: ReadonlyMap<OperationId, Operation>;
  authHeaders: readonly AuthHeader[];
  /** Absent if only what is stated is judged. */
  profile: Profile | undefined;
  /** The query parameter that carries the path of a tree, if known. */
  knownTreeParameter(): string | undefined;
}

export function createRules(profile: Profile | undefined, seenTreeParameter: () => string | undefined): Rules {
  // Under a fixed name in the document: the one on the wire may be learned only later.
  const document =
    profile === undefined ? loadUsualContract() : contractFor({ ...profile, treePathParameter: treeParameter });
  return {
    document,
    schemas: new Schemas(document),
    operations: new Map(operationsOf(document).map((operation) => [operation.operationId, operation])),
    authHeaders: authHeadersOf(document),
    profile,
    knownTreeParameter: () => profile?.treePathParameter ?? seenTreeParameter(),
  };
}

/** What a value breaks, in words. Others like it, elsewhere in the value, are only counted. */
export function ruleIn({ message, more = 0 }: Violation): Sentence {
  return more === 0 ? own(message) : say`${own(message)}, ${own(andMore(more))} like this`;
}

/** The name of the tree path parameter in this request; undefined if unknown. */
export function treeParameterOf(view: RequestView, rules: Rules): string | undefined {
  const known = rules.knownTreeParameter();
  if (known !== undefined) return known;
  const names = new Set(view.query.map(({ name }) => name));
  return names.has(treeParameter) || names.size === 0 ? treeParameter : undefined;
}

/** The path that a request certainly carries: for a move, or for a tree under a known name. */
export function pathIn(view: RequestView, rules: Rules): string | undefined {
  if (view.operation.operationId === 'updateDriveFile') return asText(member(jsonOf(view), 'path'));
  const name = rules.knownTreeParameter();
  if (view.operation.operationId !== 'deleteDriveTree' || name === undefined) return undefined;
  const values = valuesOf(view, name);
  return values.length === 1 ? values[0] : undefined;
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
