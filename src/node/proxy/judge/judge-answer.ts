import { own, type Sentence, say } from '../../../../lib/sentence.ts';
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
import { isClientError, isInputRefused, isSuccess } from '../../../../openapi/reading/statuses.ts';
import { type FoundViolation, mostViolations, type Severity } from '../exchange.ts';
import { echoViolations } from './echoes.ts';
import { pathIn, type Rules, ruleIn } from './rules.ts';

/** The violations of a response to a request that was already judged. */
export function judgeAnswer(request: RequestView, answer: AnswerView, rules: Rules): FoundViolation[] {
  if (!isSuccess(answer)) return judgeRefusal(request, answer, rules);
  return [...honoured(request, rules), ...judgeSuccess(request, answer, rules)];
}

const contentType = ['response', 'header', 'content-type'];

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

function judgeSuccess(request: RequestView, answer: AnswerView, rules: Rules): FoundViolation[] {
  const response = declared(request, answer, rules);
  if (response === undefined) return [undeclaredStatus(request, answer, rules)];
  if (answer.body.kind === 'unread') return [];
  if (answer.body.kind === 'none') return isBodyOpen(request, rules) ? [] : noBody(response);
  const media = mediaType(answer);
  if (answer.body.kind === 'text') return [...media, violation('malformedJson', answer.body.why)];
  if (isBodyOpen(request, rules)) return media;
  const found = ofSchema(answer.body.value, response, rules);
  return [...media, ...found, ...shouldHave(request, answer, response, rules), ...echoViolations(request, answer)];
}

// The body of the response to a publication is not stated.
function isBodyOpen({ operation }: RequestView, { profile }: Rules): boolean {
  return profile === undefined && operation.operationId === 'publishAgentRevision';
}

/** The response that the contract declares for the status of a response. */
function declared({ operation }: RequestView, { status }: AnswerView, rules: Rules): ResponseObject | undefined {
  const responses = responsesOf(operation, rules);
  const response = responses[String(status)] ?? responses[`${String(status)[0]}XX`];
  return response && dereference<ResponseObject>(rules.document, response as ResponseObject);
}

function responsesOf({ operationId }: RequestView['operation'], { operations }: Rules) {
  return operations.get(operationId)?.definition.responses ?? {};
}

// A refusal that no document lists may still be sent by what stands before the server.
function undeclaredStatus({ operation }: RequestView, answer: AnswerView, rules: Rules): FoundViolation {
  const { status } = answer;
  const statuses = Object.keys(responsesOf(operation, rules)).join(', ');
  const message = say`Status ${status} is not declared for ${own(operation.operationId)}; declared: ${own(statuses)}`;
  return { ...statusViolation('undeclaredStatus', message), severity: isSuccess(answer) ? 'Error' : 'Warning' };
}

function ofSchema(body: unknown, response: ResponseObject, { schemas }: Rules): FoundViolation[] {
  return schemas
    .of(schemaOf(response))(body)
    .map((broken) => {
      const { location, code } = broken;
      const place = location.length === 0 ? own('') : say`${location.join('.')} `;
      return violation(code, say`${place}${ruleIn(broken)}`, 'Error', location);
    });
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

function judgeRefusal(request: RequestView, answer: AnswerView, rules: Rules): FoundViolation[] {
  const found = [...keyRefusal(request, answer, rules), ...refusalBody(answer)];
  if (rules.profile === undefined || answer.body.kind === 'unread' || answer.status < 400) return found;
  const response = declared(request, answer, rules);
  if (response === undefined) return [...found, undeclaredStatus(request, answer, rules)];
  if (answer.body.kind === 'none') return [...found, ...noBody(response)];
  return [...found, ...otherMediaType(answer, response), ...ofSchema(jsonOf(answer), response, rules)];
}

function otherMediaType({ headers }: AnswerView, { content }: ResponseObject): FoundViolation[] {
  const declaredType = Object.keys(content ?? {})[0];
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
