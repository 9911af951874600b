import type { IHttpRequest, IHttpResponse } from '@stoplight/prism-http';
import type { ContractDocument } from '../../../../openapi/contract/document.ts';
import type { OperationId } from '../../../../openapi/contract/operations.ts';
import { joined, own, type Sentence } from '../../../../openapi/reading/sentence.ts';
import { loadPrism } from '../../../workbench/prism.ts';
import type { FoundViolation, Severity } from '../exchange.ts';
import { judgedOnce } from './judged-once.ts';

/** A request as Prism reads it. */
export interface PrismRequest {
  operationId: OperationId;
  /** In upper case. */
  method: string;
  path: string;
  query: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/** A response as Prism reads it. */
export interface PrismAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/** Prism with one document loaded. */
export type Prism = Awaited<ReturnType<typeof loadJudge>>;

/** Loads a document into Prism, which judges by it. */
export async function loadJudge(document: ContractDocument) {
  const answers = new WeakMap<object, IHttpResponse>();
  // Prism's proxy, except that the upstream's response is already there: a TaskEither of fp-ts.
  const forward: Forward =
    ({ data }) =>
    () =>
    () =>
      Promise.resolve({ _tag: 'Right' as const, right: answers.get(data) ?? { statusCode: 204 } });
  const ask = await loadPrism(document, { forward });
  return {
    judgeRequest: judgedOnce(async (request: PrismRequest) => {
      const checks = { ...asProxy, checkSecurity: true, validateRequest: true };
      const { validations } = await ask(request.operationId, toHttpRequest(request), checks);
      return toViolations('request', validations.input);
    }),
    judgeAnswer: judgedOnce(async (request: PrismRequest, { status, headers, body }: PrismAnswer) => {
      const data = toHttpRequest(request);
      answers.set(data, { statusCode: status, headers: { ...headers }, body });
      const { validations } = await ask(request.operationId, data, { ...asProxy, validateResponse: true });
      return toViolations('response', validations.output);
    }),
  };
}

type Forward = NonNullable<NonNullable<Parameters<typeof loadPrism>[1]>['forward']>;

const asProxy = { isProxy: true as const, upstream: new URL('http://127.0.0.1/') };

function toHttpRequest({ method, path, query, headers, body }: PrismRequest): IHttpRequest {
  return {
    method: method.toLowerCase() as IHttpRequest['method'],
    url: { path, query: { ...query } },
    headers: { ...headers },
    body,
  };
}

/** A finding of Prism: the name of a missing property is only in its message. */
interface Diagnostic {
  path?: readonly (string | number)[];
  code?: string | number;
  message: string;
  severity: number;
}

// Prism numbers its severities.
const severities: readonly Severity[] = ['Error', 'Warning', 'Information'];

// The place contains names from the wire.
function quoting(message: string, place: string): Sentence {
  const pieces = place === '' ? [message] : message.split(place);
  return joined(pieces.map(own), place);
}

function toViolations(side: 'request' | 'response', diagnostics: readonly Diagnostic[]): FoundViolation[] {
  return diagnostics.map(({ path = [], code = '', message, severity }) => {
    const missing = code === 'required' ? /required property '(.*)'$/.exec(message)?.[1] : undefined;
    const location = [side, ...path.map(String), ...(missing === undefined ? [] : [missing])];
    return {
      location,
      severity: severities[severity] ?? 'Information',
      code: String(code),
      message: quoting(message, path.slice(1).join('.')),
    };
  });
}
