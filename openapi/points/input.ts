import { asJson, say } from '../../lib/sentence.ts';
import type { SchemaObject } from '../contract/document.ts';
import { chosen, type OpenPointId, type Profile } from '../contract/profile.ts';
import { hasFault, isCreation, isDeclaredJson, isIncomplete, isMove } from '../reading/deviations.ts';
import type { Seen, Sighting } from '../reading/learned.ts';
import { jsonOf, member, type ReadExchange } from '../reading/messages.ts';
import { aboutTheThing, acceptedOrRefused, either, isRefused, type Settle, unclear } from '../reading/observer.ts';
import { hasMoreParameters } from '../reading/pages.ts';
import type { RequestFacts } from '../reading/request-facts.ts';
import { isSuccess } from '../reading/statuses.ts';
import type { ContractChanges, Rooms } from './room.ts';

/** Which requests are accepted. */
export const inputPoints = {
  requiredFields: {
    sources: ['4/gap:2'],
    impact: 'visible',
    seen: 'wire',
    open: 'Which fields of a request body are required.',
    question: 'Which fields of the four request bodies are required?',
    cases: {
      createDrive: {
        operations: 'bodies',
        severity: 2,
        open: 'The required fields of the body that creates a drive. The other three bodies (registering an MCP server, moving a file, publishing) follow this choice, unless their own cases, such as requiredFields.createMcpServer, set a different one.',
        choices: [
          { value: 'all', means: 'every field shown for the body' },
          {
            value: 'none',
            means: 'no fields: the newest revision is published, names and URLs are generated, a move changes nothing',
          },
        ],
        default: 'all',
        cost: 'A form that allows an empty field gets an error, or creates something with a name that nobody chose.',
        inContract: requiredIn('requiredFields.createDrive'),
        see: acceptedOrRefused((one) => one.operation.resource === 'Drive' && isIncomplete(one), 'none', 'all'),
        decides: { stage: 'input', appliesTo: (request) => lacksFields(request) && isLeftToAll(request) },
      },
      createMcpServer: {
        operations: 'createMcpServer',
        severity: 2,
        open: 'The fields required to register an MCP server.',
        choices: [
          { value: 'createDrive', means: 'as for request bodies in general' },
          { value: 'all', means: 'every field shown for the body' },
          { value: 'none', means: 'no fields: a name and a URL are generated' },
          { value: 'url', means: 'only the URL: a name is generated' },
        ],
        default: 'createDrive',
        cost: 'A form that allows an empty name or URL gets an error, or registers a server with values that nobody chose.',
        inContract: requiredIn('requiredFields.createMcpServer'),
        see: seeServerFields,
        settle: settleServerFields,
        decides: { stage: 'input', appliesTo: lacksFields },
      },
      updateDriveFile: {
        operations: 'updateDriveFile',
        severity: 1,
        open: 'Whether a move requires a path.',
        choices: [
          { value: 'createDrive', means: 'as for request bodies in general' },
          { value: 'all', means: 'every field shown for the body' },
          { value: 'none', means: 'no fields: nothing changes' },
        ],
        default: 'createDrive',
        cost: 'A client that saves a file without a new path gets an error.',
        inContract: requiredIn('requiredFields.updateDriveFile'),
        see: acceptedOrRefused((one) => isMove(one) && isIncomplete(one), 'none', 'all'),
        decides: { stage: 'input', appliesTo: lacksFields },
      },
      publishAgentRevision: {
        operations: 'publishAgentRevision',
        severity: 2,
        open: 'Whether publishing requires a revision.',
        choices: [
          { value: 'createDrive', means: 'as for request bodies in general' },
          { value: 'all', means: 'every field shown for the body' },
          { value: 'none', means: 'no fields: the newest revision is published' },
        ],
        default: 'createDrive',
        cost: 'A client that names no revision gets an error, or publishes a revision that it did not expect.',
        inContract: requiredIn('requiredFields.publishAgentRevision'),
        see: acceptedOrRefused(publishesNothing, 'none', 'all'),
        decides: { stage: 'input', appliesTo: lacksFields },
      },
    },
  },
  unknownInput: {
    impact: 'visible',
    seen: 'wire',
    open: 'Whether unknown input is refused.',
    choices: [
      { value: 'ignored', means: 'they have no effect' },
      { value: 'refused', means: 'the request is refused as invalid input, by default with 422' },
    ],
    question: 'Are unknown body fields and query parameters ignored or refused?',
    cases: {
      bodyFields: {
        sources: ['4/sentence:2', '4/gap:2'],
        operations: 'bodies',
        severity: 2,
        open: 'The handling of body fields that the specification does not show.',
        default: 'ignored',
        cost: 'A client that sends a whole object back gets an error.',
        inContract: { schema: (schema, profile) => closeBody(schema, profile['unknownInput.bodyFields']) },
        see: acceptedOrRefused(hasFault('moreFields'), 'ignored', 'refused'),
        decides: {
          stage: 'input',
          appliesTo: ({ fields, intake }) =>
            Object.keys(fields ?? {}).some((name) => !intake.stated.bodyFields.includes(name)),
        },
      },
      queryParameters: {
        sources: ['7/gap:2'],
        operations: 'all',
        severity: 1,
        open: 'The handling of unknown query parameters.',
        default: 'ignored',
        cost: 'A client that adds a parameter, for instance to bypass caches, gets an error.',
        refuses: (profile) => (profile['unknownInput.queryParameters'] === 'refused' ? ['unknownParameter'] : []),
        see: acceptedOrRefused(hasMoreParameters, 'ignored', 'refused'),
        decides: { stage: 'input', appliesTo: ({ hasUnknownParameter }) => hasUnknownParameter },
      },
    },
  },
  wrongBodyTypes: {
    sources: ['7/gap:2'],
    operations: 'bodies',
    impact: 'visible',
    seen: 'wire',
    severity: 1,
    open: 'The handling of a number or a boolean in a body field that should be a string.',
    choices: [
      { value: 'refused', means: 'the request is refused as invalid input, by default with 422' },
      { value: 'coerced', means: 'it is converted to a string' },
    ],
    default: 'refused',
    cost: 'A client that sends a number as a name gets an error, or reads back a string.',
    question: 'Is {"name":42} refused?',
    inContract: { schema: (schema, { wrongBodyTypes }) => wrongBodyTypes === 'coerced' && allowScalars(schema) },
    see: seeWrongTypes,
    decides: {
      stage: 'input',
      appliesTo: ({ fields, intake }) =>
        intake.stated.bodyFields.some((name) => !['string', 'undefined'].includes(typeof fields?.[name])),
    },
  },
  mediaTypeRules: {
    sources: ['7/gap:2'],
    operations: 'bodies',
    impact: 'visible',
    seen: 'wire',
    severity: 2,
    open: 'The handling of a JSON body that is not declared as application/json.',
    choices: [
      { value: 'strict', means: 'it is refused, by default with 415' },
      { value: 'lenient', means: 'it is read as JSON; Content-Type is ignored' },
    ],
    default: 'strict',
    cost: 'A client that sends JSON without the right Content-Type gets an error.',
    question: 'Is a body refused if it is not declared as application/json?',
    refuses: ({ mediaTypeRules }) => (mediaTypeRules === 'strict' ? ['unsupportedMediaType'] : []),
    see: seeMediaTypeRules,
    decides: { stage: 'mediaType', appliesTo: ({ hasOtherMediaType }) => hasOtherMediaType },
  },
  bodySizeLimit: {
    sources: ['8/gap:1'],
    operations: 'bodies',
    impact: 'visible',
    seen: 'wire',
    severity: 1,
    open: 'The maximum size of a request body, in bytes. A larger one is refused, by default with 413.',
    choices: [
      { value: 1048576, means: '1 MiB' },
      { value: 65536, means: '64 KiB' },
      { value: 10485760, means: '10 MiB' },
    ],
    range: { type: 'integer', minimum: 4096, maximum: 1073741824, likely: [102_400, 262_144, 5_242_880] },
    default: 1048576,
    cost: 'A client learns that a body is too large only after sending it.',
    question: 'How large may a request body be?',
    decides: {
      stage: 'size',
      appliesTo: ({ bodyBytes }, outcome) => outcome === 'bodyTooLarge' || bodyBytes > smallestBodyLimit,
    },
  },
  malformedIds: {
    sources: ['2/gap:3', '7/gap:2'],
    operations: ['ids', '-mcpServerId'],
    impact: 'visible',
    seen: 'wire',
    severity: 1,
    open: 'The response to an id in the path that no resource could have, such as one with spaces. For an MCP server 404 is stated (4.10): a malformed id names no server, so 404 applies. Because 400 could count as a form of "not found" too, any other error response is only a warning in the conformance suite, not a failure.',
    choices: [
      { value: 'likeUnknown', means: 'the same response as for an unknown id' },
      {
        value: 'refused',
        means:
          'an id with characters other than letters, digits, _ and - is refused as invalid input, by default with 422',
      },
    ],
    default: 'likeUnknown',
    cost: 'A client that treats all unknown ids alike shows two different messages.',
    question: 'Is the response to a malformed id the same as to an unknown id?',
    regards: ['invalidInput', 'mcpServerNotFound', 'notFound', 'driveNotFound', 'agentNotFound'],
    refuses: ({ malformedIds }) => (malformedIds === 'refused' ? ['invalidInput'] : []),
    inContract: {
      parameter: ({ schema = {} }, { malformedIds }) =>
        malformedIds === 'refused' && void Object.assign(schema, idRule),
    },
    decides: { stage: 'input', appliesTo: ({ pathValues }) => pathValues.some((id) => !formOfIds.test(id)) },
  },
  judgedFirst: {
    sources: ['7/gap:2'],
    operations: ['ids', '-mcpServerId'],
    impact: 'visible',
    seen: 'wire',
    severity: 1,
    open: 'Whether the input or the resource is checked first, if the input is invalid and the path names no resource of the organization. Authentication always comes first (5.4). The mock checks the body size and the form of the ids before both; the specification states no order for these. Listing the tools of an MCP server is excluded: its 404 is stated (4.10, 7), so the mock returns 404 for an unknown server whatever else is wrong. A server that checks the input first there does not fail the suite.',
    choices: [
      { value: 'input', means: 'invalid input is reported, even if the resource is unknown' },
      { value: 'resource', means: 'the unknown resource is reported, even if the input is invalid' },
    ],
    default: 'input',
    cost: 'A client that removes a resource from its view at 404 gets an input error instead, and keeps showing the resource.',
    question: 'What is the response to invalid input for a resource that does not exist?',
    decides: { stage: 'mediaType', appliesTo: ({ hasTwoFaults }) => hasTwoFaults },
  },
} satisfies Rooms;

const formOfIds = /^[A-Za-z0-9_-]+$/;
const idRule = { pattern: formOfIds.source, 'x-violation': 'must be an id: letters, digits, _ and - only' };

type RequiredFields = Extract<OpenPointId, `requiredFields.${string}`>;

/** In the contract that a profile changes, every field is required. */
function requiredIn(openPoint: RequiredFields): ContractChanges {
  return {
    requestBody: (body, profile) => {
      body.required = chosen(profile, openPoint) !== 'none';
    },
    schema: (schema, profile) => {
      const required = chosen(profile, openPoint);
      if (required === 'none') delete schema.required;
      if (required === 'url') schema.required = ['url'];
    },
  };
}

function closeBody(schema: SchemaObject, rule: Profile['unknownInput.bodyFields']): void {
  if (rule === 'refused') schema.additionalProperties = false;
}

function allowScalars(schema: SchemaObject): void {
  for (const property of Object.values(schema.properties ?? {}) as SchemaObject[]) {
    if (property.type === 'string') Object.assign(property, { type: ['string', 'number', 'boolean'] });
  }
}

const isUndeclared = hasFault('undeclared');

/** A sighting such as `url accepted`: the only field sent for a new MCP server, or `nothing`, and what happened. */
function seeServerFields(exchange: ReadExchange): Seen | undefined {
  if (exchange.operation.resource !== 'McpServer' || !isIncomplete(exchange)) return undefined;
  const sent = Object.keys(Object(jsonOf(exchange.request)));
  return either(exchange, `${sent[0] ?? 'nothing'} accepted`, `${sent[0] ?? 'nothing'} refused`);
}

function settleServerFields(sightings: readonly Sighting[]): ReturnType<Settle> {
  const has = (sighting: string) => sightings.includes(sighting);
  const areMixed = ['nothing', 'name', 'url'].some((sent) => has(`${sent} accepted`) && has(`${sent} refused`));
  const isNameEnough = has('name accepted');
  if (areMixed) return unclear;
  if (has('nothing accepted')) return has('url refused') || has('name refused') ? unclear : 'none';
  if (has('nothing refused') && isNameEnough) return unclear;
  if (has('url refused')) return isNameEnough ? unclear : 'all';
  return has('nothing refused') && has('url accepted') ? 'url' : undefined;
}

// For an agent that was listed, so that the refusal is about the body.
function publishesNothing(exchange: ReadExchange): boolean {
  const { operation, request, answer, memory } = exchange;
  const [, , agentId = ''] = request.path.split('/');
  if (operation.statusOpenPoint !== 'successStatus.publishAgentRevision' || !memory.isListed(agentId)) return false;
  const isPlain = isDeclaredJson(exchange) && request.query.length === 0;
  return (
    isPlain && Object.keys(jsonOf(request) ?? { none: true }).length === 0 && !aboutTheThing.includes(answer.status)
  );
}

// If the body is accepted, it must also have been read.
function seeMediaTypeRules(exchange: ReadExchange): Seen | undefined {
  if (!isUndeclared(exchange)) return undefined;
  const shown = jsonOf(exchange.answer);
  const [name = ''] = exchange.operation.bodyFields;
  const isRead = member(shown, name) === undefined || member(shown, name) === member(jsonOf(exchange.request), name);
  const seen = either(exchange, 'lenient', 'strict');
  return seen === 'lenient' && !isRead ? { other: say`accepted, but the body is ignored` } : seen;
}

function seeWrongTypes(exchange: ReadExchange): Seen | undefined {
  const { operation, request, answer, memory } = exchange;
  const sent = jsonOf(request);
  const name = member(sent, 'name');
  const isOnlyName =
    isCreation(exchange) && operation.bodyFields.length === 1 && Object.keys(Object(sent)).length === 1;
  if (typeof name !== 'number' || !isOnlyName || request.query.length > 0) return undefined;
  if (!isDeclaredJson(exchange) || memory.isNameTaken(operation, String(name))) return undefined;
  if (!isSuccess(answer)) return isRefused(exchange) ? 'refused' : undefined;
  const shown = member(jsonOf(answer), 'name');
  return shown === String(name) ? 'coerced' : { other: say`a name that is not a string is shown as ${asJson(shown)}` };
}

const smallestBodyLimit = 4096;

// Most bodies have a separate open point, which may defer to the common one.
function isLeftToAll({ profile, intake }: RequestFacts): boolean {
  const { bodyFields } = intake.stated;
  if (bodyFields.includes('revisionId')) return profile['requiredFields.publishAgentRevision'] === 'createDrive';
  if (bodyFields.includes('path')) return profile['requiredFields.updateDriveFile'] === 'createDrive';
  return !bodyFields.includes('url') || profile['requiredFields.createMcpServer'] === 'createDrive';
}

function lacksFields({ body, fields, intake }: RequestFacts): boolean {
  return body === undefined || (fields !== undefined && intake.stated.bodyFields.some((name) => !(name in fields)));
}
