import { own, type Sentence, say } from '../../../../lib/sentence.ts';
import {
  dereference,
  type ParameterObject,
  type RequestBodyObject,
  type SchemaObject,
} from '../../../../openapi/contract/document.ts';
import type { Operation } from '../../../../openapi/contract/operations.ts';
import type { Violation } from '../../../../openapi/contract/schemas.ts';
import { howToSendKey } from '../../../../openapi/contract/security.ts';
import {
  isObject,
  jsonOf,
  keysOf,
  mediaTypeOf,
  member,
  pathParameter,
  type RequestView,
  valuesOf,
} from '../../../../openapi/reading/messages.ts';
import { keepsPathRule } from '../../../../openapi/reading/path-rule.ts';
import type { FoundViolation } from '../exchange.ts';
import { type Rules, ruleIn, treeParameter, treeParameterOf } from './rules.ts';

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
  return [violation('unauthenticated', say`An API key must be sent, ${own(howToSendKey)}`, ['header'])];
}

function pathViolations(view: RequestView, { parameters }: Operation, rules: Rules): FoundViolation[] {
  return parameters.flatMap(({ name, in: place, schema }) => {
    if (place !== 'path') return [];
    const ofIt = (code: string, message: Sentence) =>
      violation(code, say`Path parameter ${own(name)} ${message}`, ['path', name]);
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
  return violation(code, say`Query parameter ${name} ${message}`, ['query', name]);
}

/** Its size, media type, JSON and schema; of these, the first that is wrong. */
function bodyViolations(view: RequestView, operation: Operation, rules: Rules): FoundViolation[] {
  const { body } = view;
  const { requestBody } = operation.definition;
  if (!operation.takesBody || requestBody === undefined) return [];
  const { required = false, content } = dereference<RequestBodyObject>(rules.document, requestBody);
  const [[mediaType, { schema = {} }] = ['', {}]] = Object.entries(content);
  if (body.kind === 'none') return required ? [violation('required', say`A body is required`)] : [];
  // OpenAPI cannot limit the bytes of a body.
  const most = rules.profile?.bodySizeLimit ?? Number.POSITIVE_INFINITY;
  if (body.lengthBytes > most) return [violation('bodyTooLarge', say`The body must not be larger than ${most} bytes`)];
  if (mediaTypeOf(view.headers) !== mediaType) {
    const message = say`The body must be declared as ${own(mediaType)}`;
    return [violation('unsupportedMediaType', message, ['header', 'content-type'])];
  }
  if (body.kind === 'unread') return [];
  if (body.kind === 'text') return [violation('malformedJson', say`The request cannot be read: ${body.why}`)];
  if (!isObject(body.value)) return [violation('type', say`The body must be an object`)];
  return rules.schemas
    .of(schema as SchemaObject)(body.value)
    .map(inBody);
}

function inBody(broken: Violation): FoundViolation {
  const { location, code } = broken;
  return violation(code, say`Request body: ${location.join('.')} ${ruleIn(broken)}`, ['body', ...location]);
}

// Here the document only guesses: the specification leaves these open.
function withoutGuess(violation: FoundViolation, view: RequestView): FoundViolation {
  const openPoint = openPointOf(violation, view);
  if (openPoint === undefined) return violation;
  const message = say`${violation.message}; the specification leaves this open (${own(openPoint)})`;
  return { ...violation, severity: 'Information', message };
}

function openPointOf({ location: [, part, name = ''], code }: FoundViolation, view: RequestView): string | undefined {
  if (code === 'required') return part === 'body' ? 'requiredFields.createDrive' : 'treePath.notSent';
  if (code !== 'pattern' && code !== 'not') return undefined;
  const sent = part === 'body' ? member(jsonOf(view), name) : valuesOf(view, name)[0];
  return typeof sent === 'string' && keepsPathRule(sent) ? 'pathForm.lineBreaks' : undefined;
}

function violation(code: string, message: Sentence, place: readonly string[] = ['body']): FoundViolation {
  return { location: ['request', ...place], severity: 'Error', code, message };
}
