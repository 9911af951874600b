import type { IHttpRequest, IHttpResponse } from '@stoplight/prism-http';
import type { ContractDocument } from '../../../../openapi/contract/document.ts';
import type { OperationId } from '../../../../openapi/contract/operations.ts';
import { joined, own, type Sentence } from '../../../../openapi/reading/sentence.ts';
import type { FoundViolation, Severity } from '../exchange.ts';

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

/** An answer as Prism reads it. */
export interface PrismAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/** Prism, which has read one document. */
export interface Prism {
  judgeRequest(request: PrismRequest): Promise<FoundViolation[]>;
  judgeAnswer(request: PrismRequest, answer: PrismAnswer): Promise<FoundViolation[]>;
}

/** Has Prism read a document. Loads Prism, which takes most of a second. */
export async function loadPrism(document: ContractDocument): Promise<Prism> {
  const { createInstance, getHttpOperationsFromSpec } = await import('@stoplight/prism-http');
  const resources = await getHttpOperationsFromSpec(document);
  const answers = new WeakMap<object, IHttpResponse>();
  // Its own proxy, but that the answer of the upstream is there already.
  const forward: Parts['forward'] =
    ({ data }) =>
    () =>
      succeedWith(answers.get(data) ?? { statusCode: 204 });
  const prism = createInstance(config, { logger, forward });
  const ask = async (request: PrismRequest, checks: Partial<typeof config>, answer?: IHttpResponse) => {
    const data = toHttpRequest(request);
    if (answer !== undefined) answers.set(data, answer);
    const own = resources.filter(({ iid }) => iid === request.operationId);
    const result = await prism.request(data, own, { ...config, ...checks })();
    if (result._tag === 'Left') throw result.left;
    return result.right.validations;
  };
  return {
    judgeRequest: async (request) => toViolations('request', (await ask(request, requestChecks)).input),
    judgeAnswer: async (request, { status, headers, body }) => {
      const answer: IHttpResponse = { statusCode: status, headers: { ...headers }, body };
      return toViolations('response', (await ask(request, answerChecks, answer)).output);
    },
  };
}

type CreateInstance = typeof import('@stoplight/prism-http').createInstance;
type Parts = Required<Pick<Parameters<CreateInstance>[1], 'forward' | 'logger'>>;

const requestChecks = { checkSecurity: true, validateRequest: true, validateResponse: false };
const answerChecks = { checkSecurity: false, validateRequest: false, validateResponse: true };

const config = {
  ...requestChecks,
  errors: false,
  isProxy: true as const,
  upstream: new URL('http://127.0.0.1/'),
  upstreamProxy: undefined,
  mock: { dynamic: false },
};

const nothing = () => undefined;
const silent = { info: nothing, warn: nothing, error: nothing, debug: nothing, trace: nothing, success: nothing };
const logger = { ...silent, child: () => logger } as unknown as Parts['logger'];

// A TaskEither of fp-ts, which Prism passes between its parts.
function succeedWith(right: IHttpResponse) {
  return () => Promise.resolve({ _tag: 'Right' as const, right });
}

function toHttpRequest({ method, path, query, headers, body }: PrismRequest): IHttpRequest {
  return {
    method: method.toLowerCase() as IHttpRequest['method'],
    url: { path, query: { ...query } },
    headers: { ...headers },
    body,
  };
}

/** What Prism finds: the name of a missing property is only in its message. */
interface Diagnostic {
  path?: readonly (string | number)[];
  code?: string | number;
  message: string;
  severity: number;
}

// The severities of Prism are counted.
const severities: readonly Severity[] = ['Error', 'Warning', 'Information'];

// The place is named by what was sent.
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
