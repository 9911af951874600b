import {
  dereference,
  openPointsOf,
  type ResponseObject,
  type SchemaObject,
} from '../../../../openapi/contract/document.ts';
import type { OperationId } from '../../../../openapi/contract/operations.ts';
import { bodyObjects } from '../../../../openapi/reading/body-objects.ts';
import {
  type AnswerView,
  jsonOf,
  keysOf,
  mediaTypeOf,
  pathParameter,
  type RequestView,
} from '../../../../openapi/reading/messages.ts';
import { keepsPathRule } from '../../../../openapi/reading/path-rule.ts';
import { own, type Sentence, say } from '../../../../openapi/reading/sentence.ts';
import { isClientError, isInputRefused, isSuccess } from '../../../../openapi/reading/statuses.ts';
import { type FoundViolation, mostViolations, type Severity } from '../exchange.ts';
import { echoViolations } from './echoes.ts';
import { toPrismRequest } from './judge-request.ts';
import type { Prism, PrismAnswer } from './prism.ts';
import { pathIn, type Rules } from './rules.ts';
import { withinBounds } from './within-bounds.ts';

/** The violations of a response to a request that was already judged. */
export async function judgeAnswer(
  request: RequestView,
  answer: AnswerView,
  rules: Rules,
  prism: Prism,
): Promise<FoundViolation[]> {
  const ask = (asked: PrismAnswer) => prism.judgeAnswer(toPrismRequest(request, rules), asked);
  if (!isSuccess(answer)) return judgeRefusal(request, answer, rules, ask);
  return [...honoured(request, rules), ...(await judgeSuccess(request, answer, rules, ask))];
}

const contentType = ['response', 'header', 'content-type'];

type Ask = (answer: PrismAnswer) => Promise<readonly FoundViolation[]>;

/** Whether a request was carried out that the text forbids (sections 4.6, 4.7 and 5). */
function honoured(request: RequestView, rules: Rules): FoundViolation[] {
  const path = pathIn(request, rules);
  const isUnruly = path !== undefined && !keepsPathRule(path);
  const isAnonymous = keysOf(request, rules.authHeaders).length === 0;
  return [
    ...(isAnonymous ? [statusViolation('honoured', say`A request without an API key must not succeed`)] : []),
    ...(isUnruly
      ? [statusViolation('honoured', say`A request whose path has no leading / or has a .. segment must not succeed`)]
      : []),
  ];
}

async function judgeSuccess(
  request: RequestView,
  answer: AnswerView,
  rules: Rules,
  ask: Ask,
): Promise<FoundViolation[]> {
  const response = declared(request, answer, rules);
  if (response === undefined) return ask({ status: answer.status, headers: {}, body: undefined }).then(ofStatus);
  if (answer.body.kind === 'unread') return [];
  if (answer.body.kind === 'none') return isBodyOpen(request, rules) ? [] : noBody(response);
  const media = mediaType(answer);
  if (answer.body.kind === 'text') return [...media, violation('malformedJson', answer.body.why)];
  if (isBodyOpen(request, rules)) return media;
  // Whatever JSON media type is declared: that is judged separately.
  const headers = { 'content-type': 'application/json' };
  const body = withinBounds(answer.body.value, schemaOf(response), rules.schemas);
  const found = await ask({ status: answer.status, headers, body });
  return [...media, ...found, ...shouldHave(request, answer, response, rules), ...echoViolations(request, answer)];
}

// The body of the response to a publication is not stated.
function isBodyOpen({ operation }: RequestView, { profile }: Rules): boolean {
  return profile === undefined && operation.operationId === 'publishAgentRevision';
}

/** The response that the contract declares for the status of a response. */
function declared({ operation }: RequestView, { status }: AnswerView, rules: Rules): ResponseObject | undefined {
  const responses = rules.operations.get(operation.operationId)?.definition.responses ?? {};
  const response = responses[String(status)] ?? responses[`${String(status)[0]}XX`];
  return response && dereference<ResponseObject>(rules.document, response as ResponseObject);
}

function schemaOf({ content }: ResponseObject): SchemaObject {
  return (Object.values(content ?? {})[0]?.schema ?? noSchema) as SchemaObject;
}

const noSchema: SchemaObject = {};

function noBody({ content }: ResponseObject): FoundViolation[] {
  return content === undefined ? [] : [violation('required', say`the body is missing`)];
}

// Declaring JSON is a should; which JSON media type is open.
function mediaType({ headers }: AnswerView): FoundViolation[] {
  if (/^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(mediaTypeOf(headers))) return [];
  const message = say`the body must be declared as JSON; Content-Type is ${headers['content-type'] ?? own('missing')}`;
  return [{ ...violation('mediaType', message, 'Warning'), location: contentType }];
}

/** Fields that a table lists without saying whether they are always present or may be null. */
function shouldHave(
  { operation }: RequestView,
  answer: AnswerView,
  response: ResponseObject,
  { document, profile }: Rules,
): FoundViolation[] {
  if (profile !== undefined || operation.operationId === 'publishAgentRevision') return [];
  const found: FoundViolation[] = [];
  for (const { schema: shape, value, location } of bodyObjects(document, schemaOf(response), jsonOf(answer))) {
    const missing = shape['x-should-have']?.filter((name) => !Object.hasOwn(value, name)) ?? [];
    for (const name of missing)
      found.push(violation('required', say`${own(name)} should be present`, 'Warning', [...location, name]));
    for (const name of nullIn(shape, value))
      found.push(violation('type', say`${own(name)} should be omitted, not null`, 'Warning', [...location, name]));
    if (found.length > mostViolations) break;
  }
  return found;
}

/** The fields that are null where the value may be missing (open point `missingValues`). */
function nullIn({ properties = {} }: SchemaObject, value: Record<string, unknown>): string[] {
  return Object.entries(properties as Record<string, SchemaObject>).flatMap(([name, property]) =>
    value[name] === null && openPointsOf(property).includes('missingValues') ? [name] : [],
  );
}

async function judgeRefusal(
  request: RequestView,
  answer: AnswerView,
  rules: Rules,
  ask: Ask,
): Promise<FoundViolation[]> {
  const own = [...keyRefusal(request, answer, rules), ...refusalBody(answer)];
  const response = declared(request, answer, rules);
  if (rules.profile === undefined || answer.body.kind === 'unread' || answer.status < 400) return own;
  if (response !== undefined && answer.body.kind === 'none') return [...own, ...noBody(response)];
  const declaredType = Object.keys(response?.content ?? {})[0];
  const found = await ask({
    status: answer.status,
    headers: { 'content-type': declaredType ?? '' },
    body: response === undefined ? undefined : withinBounds(jsonOf(answer), schemaOf(response), rules.schemas),
  });
  return [...own, ...(response === undefined ? ofStatus(found) : [...otherMediaType(answer, declaredType), ...found])];
}

// Prism accepts application/json for application/problem+json.
function otherMediaType({ headers }: AnswerView, declaredType: string | undefined): FoundViolation[] {
  if (declaredType === undefined || mediaTypeOf(headers) === declaredType) return [];
  const message = say`the body must be declared as ${own(declaredType)}; Content-Type is ${headers['content-type'] ?? own('missing')}`;
  return [{ ...violation('mediaType', message), location: contentType }];
}

// For the tools of an MCP server the code is stated (4.10), even if more is wrong with the request. For the others it
// follows from the text, so it is checked only where nothing else can be wrong.
function keyRefusal(request: RequestView, { status }: AnswerView, { authHeaders }: Rules): FoundViolation[] {
  if (keysOf(request, authHeaders).length > 0 || !isInputRefused({ status })) return [];
  const { operationId } = request.operation;
  if (operationId === 'listMcpServerTools' && !isOddPath(request))
    return [statusViolation('unauthenticated', say`${noKey} must get status 401`)];
  if (!lists.includes(operationId) || request.query.length > 0) return [];
  return [{ ...statusViolation('unauthenticated', say`${noKey} should get status 401`), severity: 'Warning' }];
}

// Many servers refuse these first: bytes that are not UTF-8, control characters and slashes.
function isOddPath(request: RequestView): boolean {
  return request.operation.segments.some((segment) => {
    const value = 'parameter' in segment ? pathParameter(request, segment.parameter) : '';
    return value === undefined || /[\p{Cc}/\\]/u.test(value);
  });
}

const lists: readonly OperationId[] = ['listAgents', 'listDrives', 'listMcpServers'];
const noKey = say`A request without an API key`;

function refusalBody(answer: AnswerView): FoundViolation[] {
  if (!isClientError(answer) || answer.body.kind !== 'text') return [];
  return [violation('malformedJson', say`${answer.body.why}; the body of an error response should be`, 'Warning')];
}

function ofStatus(found: readonly FoundViolation[]): FoundViolation[] {
  return found.map((each) => ({ ...each, location: ['response', 'statusCode'], code: 'undeclaredStatus' }));
}

function statusViolation(code: string, message: Sentence): FoundViolation {
  return { location: ['response', 'statusCode'], severity: 'Error', code, message };
}

function violation(
  code: string,
  message: Sentence,
  severity: Severity = 'Error',
  place: readonly string[] = [],
): FoundViolation {
  const text = say`Response body: ${message}`;
  return { location: ['response', 'body', ...place], severity, code, message: text };
}
