import type { ParameterObject, RequestBodyObject, ResponseObject, SchemaObject } from '../contract/document.ts';
import type { Operation } from '../contract/operations.ts';
import type { Profile } from '../contract/profile.ts';
import type { RefusalKind } from '../contract/refusals.ts';
import type { Observer } from '../reading/observer.ts';
import type { Choice, ChoiceRange, ListedChoice, Permission, Severity } from './open-point.ts';
import type { RelevanceRule } from './relevance.ts';

/** What is true of all cases of a point, or of the point if it has no cases. */
interface Common {
  /** Where the specification leaves it open: `<section>/<sentence|row|gap>:<number or name>`, see `coverage.yaml`. */
  sources: string[];
  /** The operations that it concerns: see `operationSet`. */
  operations: string | string[];
  /** hidden: a correct client cannot notice the choice; visible: a client may notice it. */
  impact: 'hidden' | 'visible';
  /** wire: one exchange shows the choice; state: only a later exchange shows it. */
  seen: 'wire' | 'state';
  /** How bad a wrong guess is for a client. */
  severity: Severity;
  /** What all choices except the default need. */
  needs: Permission;
  /**
   * The legal choices that the mock can use. A choice named like another case of the point takes the choice of that
   * case.
   */
  choices: ListedChoice[];
  /** More legal values. */
  range: ChoiceRange;
  /** What the mock uses unless configured otherwise. */
  default: Choice;
  /** What a wrong guess costs a client, in words. */
  cost: string;
}

/**
 * What a profile changes in the contract, at each place that names the point with `x-open-point`. Each changes what it
 * gets; `contract-for.ts` calls them in the order of the document, a schema before its properties.
 */
export interface ContractChanges {
  operation?(operation: Operation, profile: Profile): void;
  parameter?(parameter: ParameterObject, profile: Profile): void;
  requestBody?(body: RequestBodyObject, profile: Profile): void;
  /** A success. */
  response?(response: ResponseObject, profile: Profile): void;
  schema?(schema: SchemaObject, profile: Profile): void;
}

/** One decision: exactly what is unspecified, and how to recognise it. */
interface Room extends Partial<Common>, Partial<Observer> {
  open: string;
  inContract?: ContractChanges;
  /** The error responses that a profile makes possible for an operation that it concerns. */
  refuses?(profile: Profile, operation: Operation): readonly RefusalKind[];
  /** The error responses whose descriptions name it, besides the one whose status it chooses. */
  regards?: readonly RefusalKind[];
  /** It cannot differ between organizations: it concerns calls that may not belong to any. */
  isShared?: true;
  /** The data keeps what was chosen when it was made: a new choice affects only new data, until a reset. */
  isStored?: true;
  /** When the response to a request depends on it. Absent if the contract names it where it shows in the response. */
  decides?: RelevanceRule;
}

/** An open point: one question to the owners of the specification; with `cases`, one choice for each of them. */
export interface Point extends Room {
  question: string;
  cases?: Readonly<Record<string, Room>>;
}

/** The open points of one theme, by name. */
export type Rooms = Readonly<Record<string, Point>>;
