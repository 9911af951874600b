import { dereference, type ResponseObject, type SchemaObject } from '../../../../openapi/contract/document.ts';
import type { OperationId } from '../../../../openapi/contract/operations.ts';
import type { ExchangeViolation, Severity } from '../exchange.ts';
import { echoViolations } from './echoes.ts';
import { toPrismRequest } from './judge-request.ts';
import type { Prism, PrismAnswer } from './prism.ts';
import { breaksPathRule, pathIn, type Rules } from './rules.ts';
import { shownObjects } from './shown.ts';
import { type AnswerView, isSuccess, jsonOf, keysOf, mediaTypeOf, type RequestView } from './views.ts';

/** What an answer breaks, to a request of which it is known what that breaks. */
export async function judgeAnswer(
  request: RequestView,
  answer: AnswerView,
  rules: Rules,
  prism: Prism,
): Promise<ExchangeViolation[]> {
  const ask = (asked: PrismAnswer) => prism.judgeAnswer(toPrismRequest(request, rules), asked);
  if (!isSuccess(answer)) return judgeRefusal(request, answer, rules, ask);
  return [...honoured(request, rules), ...(await judgeSuccess(request, answer, rules, ask))];
}

const contentType = ['response', 'header', 'content-type'];

type Ask = (answer: PrismAnswer) => Promise<ExchangeViolation[]>;

/** That a request was carried out which the text does not let through (sections 4.6, 4.7 and 5). */
function honoured(request: RequestView, rules: Rules): ExchangeViolation[] {
  const path = pathIn(request, rules);
  const isUnruly = path !== undefined && breaksPathRule(path);
  const isAnonymous = keysOf(request, rules.carriers).length === 0;
  return [
    ...(isAnonymous ? [statusViolation('honoured', 'A request without an API key must not succeed')] : []),
    ...(isUnruly
      ? [statusViolation('honoured', 'A path without a leading / or with a .. segment must not be honoured')]
      : []),
  ];
}

async function judgeSuccess(
  request: RequestView,
  answer: AnswerView,
  rules: Rules,
  ask: Ask,
): Promise<ExchangeViolation[]> {
  const response = declared(request, answer, rules);
  if (response === undefined) return ask({ status: answer.status, headers: {}, body: undefined }).then(ofStatus);
  if (answer.body.kind === 'unread') return [];
  if (answer.body.kind === 'none') return isBodyOpen(request, rules) ? [] : noBody(response);
  const media = mediaType(answer);
  if (answer.body.kind === 'text') return [...media, violation('malformedJson', answer.body.why)];
  if (isBodyOpen(request, rules)) return media;
  // Whatever JSON media type it is declared as: that is judged apart.
  const headers = { 'content-type': 'application/json' };
  const found = await ask({ status: answer.status, headers, body: answer.body.value });
  return [...media, ...found, ...shouldHave(request, answer, response, rules), ...echoViolations(request, answer)];
}

// What the answer to a publication holds is not stated.
function isBodyOpen({ operation }: RequestView, { profile }: Rules): boolean {
  return profile === undefined && operation.operationId === 'publishAgentRevision';
}

/** The response that the contract declares for the status of an answer. */
function declared({ operation }: RequestView, { status }: AnswerView, rules: Rules): ResponseObject | undefined {
  const responses = rules.operations.get(operation.operationId)?.definition.responses ?? {};
  const response = responses[String(status)] ?? responses[`${String(status)[0]}XX`];
  return response && dereference<ResponseObject>(rules.document, response as ResponseObject);
}

function noBody({ content }: ResponseObject): ExchangeViolation[] {
  return content === undefined ? [] : [violation('required', 'the body is missing')];
}

// That the header says so is a should; which JSON media type it names is open.
function mediaType({ headers }: AnswerView): ExchangeViolation[] {
  if (/^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(mediaTypeOf(headers))) return [];
  const message = `the body must be declared as JSON; Content-Type is ${headers['content-type'] ?? 'not there'}`;
  return [{ ...violation('mediaType', message, 'Warning'), location: contentType }];
}

/** Fields that a table lists without a word that they are always there. */
function shouldHave(
  { operation }: RequestView,
  answer: AnswerView,
  { content }: ResponseObject,
  { document, profile }: Rules,
): ExchangeViolation[] {
  if (profile !== undefined || operation.operationId === 'publishAgentRevision') return [];
  const schema = content?.['application/json']?.schema as SchemaObject | undefined;
  return shownObjects(document, schema, jsonOf(answer)).flatMap(
    ({ schema: { 'x-should-have': names = [] }, value, location }) =>
      names
        .filter((name) => !Object.hasOwn(value, name))
        .map((name) => violation('required', `${name} should be there`, 'Warning', [...location, name])),
  );
}

async function judgeRefusal(
  request: RequestView,
  answer: AnswerView,
  rules: Rules,
  ask: Ask,
): Promise<ExchangeViolation[]> {
  const own = [...keyRefusal(request, answer, rules), ...refusalBody(answer)];
  const response = declared(request, answer, rules);
  if (rules.profile === undefined || answer.body.kind === 'unread' || answer.status < 400) return own;
  if (response !== undefined && answer.body.kind === 'none') return [...own, ...noBody(response)];
  const declaredType = Object.keys(response?.content ?? {})[0];
  const found = await ask({
    status: answer.status,
    headers: { 'content-type': declaredType ?? '' },
    body: jsonOf(answer),
  });
  return [...own, ...(response === undefined ? ofStatus(found) : [...played(answer, declaredType), ...found])];
}

// Prism takes application/json for application/problem+json.
function played({ headers }: AnswerView, declaredType: string | undefined): ExchangeViolation[] {
  if (declaredType === undefined || mediaTypeOf(headers) === declaredType) return [];
  const message = `the body must be declared as ${declaredType}; Content-Type is ${headers['content-type'] ?? 'not there'}`;
  return [{ ...violation('mediaType', message), location: contentType }];
}

/** Statuses that say nothing of the request. */
const ofTheServer = [408, 429];

// For the tools of an MCP server the code is stated (4.10), whatever else is wrong with the request. For the others it
// follows; it is looked for where nothing else can be wrong.
function keyRefusal(request: RequestView, { status }: AnswerView, { carriers }: Rules): ExchangeViolation[] {
  if (keysOf(request, carriers).length > 0 || status < 400 || status > 499) return [];
  if (status === 401 || ofTheServer.includes(status)) return [];
  const { operationId } = request.operation;
  if (operationId === 'listMcpServerTools')
    return [statusViolation('unauthenticated', `${noKey} must be answered with 401`)];
  if (!lists.includes(operationId) || request.query.length > 0) return [];
  return [{ ...statusViolation('unauthenticated', `${noKey} should be answered with 401`), severity: 'Warning' }];
}

const lists: readonly OperationId[] = ['listAgents', 'listDrives', 'listMcpServers'];
const noKey = 'A request without an API key';

function refusalBody({ status, body }: AnswerView): ExchangeViolation[] {
  if (status < 400 || status > 499 || body.kind !== 'text') return [];
  return [violation('malformedJson', `${body.why}; that of a refusal should be`, 'Warning')];
}

function ofStatus(found: readonly ExchangeViolation[]): ExchangeViolation[] {
  return found.map((each) => ({ ...each, location: ['response', 'statusCode'], code: 'undeclaredStatus' }));
}

function statusViolation(code: string, message: string): ExchangeViolation {
  return { location: ['response', 'statusCode'], severity: 'Error', code, message };
}

function violation(
  code: string,
  message: string,
  severity: Severity = 'Error',
  place: readonly string[] = [],
): ExchangeViolation {
  const text = `Response body: ${message}`;
  return { location: ['response', 'body', ...place], severity, code, message: text };
}
