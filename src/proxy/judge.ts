/*
 * Judges exchanges by the validators of the contract. Which requests are not judged, and why: `routeOf` in
 * `headers.ts`.
 */

import { own, type Sentence, say } from '../../lib/sentence.ts';
import { contractFor } from '../../openapi/contract/contract-for.ts';
import {
  type ContractDocument,
  dereference,
  openPointsOf,
  type ParameterObject,
  type RequestBodyObject,
  type ResponseObject,
  type SchemaObject,
} from '../../openapi/contract/document.ts';
import { type Operation, type OperationId, operationsOf } from '../../openapi/contract/operations.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { andMore, Schemas, type Violation } from '../../openapi/contract/schemas.ts';
import { type AuthHeader, authHeadersOf, howToSendKey, keysOf } from '../../openapi/contract/security.ts';
import { loadUsualContract, usualTreeParameter } from '../../openapi/contract/usual-input.ts';
import { bodyObjects } from '../../openapi/reading/body-objects.ts';
import {
  type AnswerView,
  isObject,
  jsonOf,
  mediaTypeOf,
  member,
  pathParameter,
  type RequestView,
  valuesOf,
} from '../../openapi/reading/messages.ts';
import { keepsPathRule } from '../../openapi/reading/path-rule.ts';
import { isClientError, isInputRefused, isSuccess } from '../../openapi/reading/statuses.ts';
import { echoViolations } from './echoes.ts';
import { type FoundViolation, mostViolations, type Severity } from './exchange.ts';

/** The violations of a request: of its key, path, query and body. */
export function judgeRequest(view: RequestView, rules: Rules): FoundViolation[] {
  const operation = rules.operations.get(view.operation.operationId) ?? view.operation;
  const found = [
    ...keyViolations(view, rules),
    ...pathViolations(view, operation, rules),
    ...queryViolations(view, operation, rules),
    ...bodyViolations(view, operation, rules),
  ];
  return rules.profile === undefined ? found.map((each) => withoutGuess(each, view)) : found;
}

function keyViolations(view: RequestView, { authHeaders }: Rules): FoundViolation[] {
  if (keysOf(view, authHeaders).length > 0) return [];
  return [requestViolation('unauthenticated', say`An API key must be sent, ${own(howToSendKey)}`, ['header'])];
}

function pathViolations(view: RequestView, { parameters }: Operation, rules: Rules): FoundViolation[] {
  return parameters.flatMap(({ name, in: place, schema }) => {
    if (place !== 'path') return [];
    const ofIt = (code: string, message: Sentence) =>
      requestViolation(code, say`Path parameter ${own(name)} ${message}`, ['path', name]);
    const value = pathParameter(view, name);
    if (value === undefined) return [ofIt('encoding', say`is not percent-encoded UTF-8`)];
    return rules.schemas
      .of(schema as SchemaObject)(value)
      .map(({ code, message }) => ofIt(code, own(message)));
  });
}

function queryViolations(view: RequestView, { parameters }: Operation, rules: Rules): FoundViolation[] {
  const known = parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => {
      // The name on the wire; undefined if it is unknown.
      const name = parameter.name === treeParameter ? treeParameterOf(view, rules) : parameter.name;
      return { parameter, name };
    });
  return [
    ...known.flatMap(({ parameter, name }) => (name === undefined ? [] : ofParameter(parameter, name, view, rules))),
    ...unknownParameters(
      view,
      known.map(({ name }) => name),
      rules,
    ),
  ];
}

function ofParameter(parameter: ParameterObject, name: string, view: RequestView, rules: Rules): FoundViolation[] {
  const [value, ...more] = valuesOf(view, name);
  if (valuesOf(view, name).length === 0)
    return parameter.required === true ? [inQuery(name, 'required', say`is required`)] : [];
  if (more.length > 0) return [inQuery(name, 'once', say`must be sent once`)];
  if (value === undefined) return [inQuery(name, 'encoding', say`is not percent-encoded UTF-8`)];
  const schema = parameter.schema as SchemaObject;
  const isInteger = schema.type === 'integer';
  if (isInteger && !/^-?\d+$/.test(value)) return [inQuery(name, 'type', say`must be an integer`)];
  const found = rules.schemas.of(schema)(isInteger ? Number(value) : value);
  return found.map(({ code, message }) => inQuery(name, code, own(message)));
}

// OpenAPI cannot forbid what it does not name.
function unknownParameters(
  view: RequestView,
  names: readonly (string | undefined)[],
  { profile }: Rules,
): FoundViolation[] {
  if (profile?.['unknownInput.queryParameters'] !== 'refused') return [];
  const unknown = new Set(view.query.map(({ name }) => name).filter((name) => !names.includes(name)));
  return [...unknown].map((name) => inQuery(name, 'unknownParameter', say`is not a parameter of this operation`));
}

function inQuery(name: string, code: string, message: Sentence): FoundViolation {
  return requestViolation(code, say`Query parameter ${name} ${message}`, ['query', name]);
}

/** Its size, media type, JSON and schema; of these, the first that is wrong. */
function bodyViolations(view: RequestView, operation: Operation, rules: Rules): FoundViolation[] {
  const { body } = view;
  const { requestBody } = operation.definition;
  if (!operation.takesBody || requestBody === undefined) return [];
  const { required = false, content } = dereference<RequestBodyObject>(rules.document, requestBody);
  const [[mediaType, { schema = {} }] = ['', {}]] = Object.entries(content);
  if (body.kind === 'none') return required ? [requestViolation('required', say`A body is required`)] : [];
  // OpenAPI cannot limit the bytes of a body.
  const most = rules.profile?.bodySizeLimit ?? Number.POSITIVE_INFINITY;
  if (body.lengthBytes > most)
    return [requestViolation('bodyTooLarge', say`The body must not be larger than ${most} bytes`)];
  if (mediaTypeOf(view.headers) !== mediaType) {
    const message = say`The body must be declared as ${own(mediaType)}`;
    return [requestViolation('unsupportedMediaType', message, ['header', 'content-type'])];
  }
  if (body.kind === 'unread') return [];
  if (body.kind === 'text') return [requestViolation('malformedJson', say`The request cannot be read: ${body.why}`)];
  if (!isObject(body.value)) return [requestViolation('type', say`The body must be an object`)];
  return rules.schemas
    .of(schema as SchemaObject)(body.value)
    .map((broken) => {
      const { location, code } = broken;
      return requestViolation(code, say`Request body: ${location.join('.')} ${ruleIn(broken)}`, ['body', ...location]);
    });
}

// Here the document only guesses: the specification leaves these open.
function withoutGuess(violation: FoundViolation, view: RequestView): FoundViolation {
  const openPoint = openPointOf(violation, view);
  if (openPoint === undefined) return violation;
  const message = say`${violation.message}; the specification leaves this open (${own(openPoint)})`;
  return { ...violation, severity: 'Information', message };
}

function openPointOf({ location: [, part, name = ''], code }: FoundViolation, view: RequestView): string | undefined {
  if (code === 'required') return part === 'body' ? `requiredFields.${view.operation.operationId}` : 'treePath.notSent';
  if (code !== 'pattern' && code !== 'not') return undefined;
  const sent = part === 'body' ? member(jsonOf(view), name) : valuesOf(view, name)[0];
  return typeof sent === 'string' && keepsPathRule(sent) ? 'pathForm.lineBreaks' : undefined;
}

function requestViolation(code: string, message: Sentence, place: readonly string[] = ['body']): FoundViolation {
  return { location: ['request', ...place], severity: 'Error', code, message };
}

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
  if (answer.body.kind === 'text') return [...media, answerViolation('malformedJson', answer.body.why)];
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
      return answerViolation(code, say`${place}${ruleIn(broken)}`, 'Error', location);
    });
}

function schemaOf({ content }: ResponseObject): SchemaObject {
  return (Object.values(content ?? {})[0]?.schema ?? noSchema) as SchemaObject;
}

const noSchema: SchemaObject = {};

function noBody({ content }: ResponseObject): FoundViolation[] {
  return content === undefined ? [] : [answerViolation('required', say`the body is missing`)];
}

// Declaring JSON is a should; which JSON media type is open.
function mediaType({ headers }: AnswerView): FoundViolation[] {
  if (/^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(mediaTypeOf(headers))) return [];
  const message = say`the body must be declared as JSON; Content-Type is ${headers['content-type'] ?? own('missing')}`;
  return [{ ...answerViolation('mediaType', message, 'Warning'), location: contentType }];
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
      found.push(answerViolation('required', say`${own(name)} should be present`, 'Warning', [...location, name]));
    // Null where the value may be missing: open point `missingValues`.
    for (const [name, property] of Object.entries((shape.properties ?? {}) as Record<string, SchemaObject>)) {
      if (value[name] !== null || !openPointsOf(property).includes('missingValues')) continue;
      const message = say`${own(name)} should be omitted, not null`;
      found.push(answerViolation('type', message, 'Warning', [...location, name]));
    }
    if (found.length > mostViolations) break;
  }
  return found;
}

function judgeRefusal(request: RequestView, answer: AnswerView, rules: Rules): FoundViolation[] {
  // Neither a success nor an error response (section 7).
  const isRedirect = answer.status >= 300 && answer.status < 400;
  const found = [
    ...keyRefusal(request, answer, rules),
    ...refusalBody(answer),
    ...(isRedirect ? [undeclaredStatus(request, answer, rules)] : []),
  ];
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
  return [{ ...answerViolation('mediaType', message), location: contentType }];
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
  return [
    answerViolation('malformedJson', say`${answer.body.why}; the body of an error response should be`, 'Warning'),
  ];
}

function statusViolation(code: string, message: Sentence): FoundViolation {
  return { location: ['response', 'statusCode'], severity: 'Error', code, message };
}

function answerViolation(
  code: string,
  message: Sentence,
  severity: Severity = 'Error',
  place: readonly string[] = [],
): FoundViolation {
  const text = say`Response body: ${message}`;
  return { location: ['response', 'body', ...place], severity, code, message: text };
}

/** The name of the tree path parameter in the contract used for judging; on the wire it is an open point. */
const treeParameter = usualTreeParameter;

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

/** Without a profile only what is stated is judged. `seenTreeParameter`: the name of the parameter, if seen. */
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
function ruleIn({ message, more = 0 }: Violation): Sentence {
  return more === 0 ? own(message) : say`${own(message)}, ${own(andMore(more))} like this`;
}

/** The name of the tree path parameter in this request; undefined if unknown. */
function treeParameterOf(view: RequestView, rules: Rules): string | undefined {
  const known = rules.knownTreeParameter();
  if (known !== undefined) return known;
  const names = new Set(view.query.map(({ name }) => name));
  return names.has(treeParameter) || names.size === 0 ? treeParameter : undefined;
}

/** The path that a request certainly carries: for a move, or for a tree under a known name. */
function pathIn(view: RequestView, rules: Rules): string | undefined {
  if (view.operation.operationId === 'updateDriveFile') {
    const path = member(jsonOf(view), 'path');
    return typeof path === 'string' ? path : undefined;
  }
  const name = rules.knownTreeParameter();
  if (view.operation.operationId !== 'deleteDriveTree' || name === undefined) return undefined;
  const values = valuesOf(view, name);
  return values.length === 1 ? values[0] : undefined;
}
