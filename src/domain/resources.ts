/*
 * To add a field to a resource: `openapi/openapi.yaml`; the type and the table here (seed, snapshot, admin API and what
 * the proxy records follow); `src/engine/views.ts` (responses); if it is required, also where the API creates the
 * resource (`drives.ts`, `mcp-servers.ts`); if the specification states it, requirements and coverage. If it is
 * optional: `optionalFields` in `openapi/points/fields.ts` and `x-open-point` of the schema. Values that a field may
 * have are read from the contract.
 */
import { contractFor } from '../../openapi/contract/contract-for.ts';
import { allowedValues, loadDocument } from '../../openapi/contract/load.ts';
import { defaultProfile } from '../../openapi/contract/profile.ts';
import type { components } from '../../openapi/contract/types.gen.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';

/** The resources of section 2 as the store holds them. Records are replaced, never changed. Times in ms. */

export interface Revision {
  readonly id: string;
  readonly createdAtMs: number;
}

export interface Agent {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** Oldest first. */
  readonly revisions: readonly Revision[];
  /** The published revision; absent until one is published. */
  readonly activeRevisionId?: string;
  readonly hasChanges: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface Drive {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export type FileStatus = NonNullable<components['schemas']['DriveFile']['status']>;

/** The status that a file changes to by itself at a certain time. */
export interface NextStatus {
  readonly status: FileStatus;
  readonly atMs: number;
}

export interface DriveFile {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly status: FileStatus;
  readonly next?: NextStatus;
  readonly modifiedAtMs: number;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly description?: string;
  readonly summary?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface McpTool {
  readonly name: string;
  readonly description: string;
}

export type McpServerType = NonNullable<components['schemas']['McpServer']['type']>;

export interface McpServer {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly url: string;
  readonly type: McpServerType;
  readonly tools: readonly McpTool[];
  /** Why the last request for its tools failed; absent if it succeeded or was never made. */
  readonly toolsProblem?: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

type Schema = Readonly<Record<string, unknown>>;

/** The four forms of a record: in a seed, new in the admin API, as a change, in a snapshot. */
type Form = 'seed' | 'new' | 'change' | 'record';

// `!`: the field is required; `?`: it may be left out; `0`: it may also be null, which removes it; `-`: there is none.
// One mark per form, in this order: seed, new, change, record.
type Row = readonly [marks: string, schema: Schema, isTime?: 'time'];

const forms: readonly Form[] = ['seed', 'new', 'change', 'record'];
const text: Schema = { type: 'string' };
const ref = (name: string): Schema => ({ $ref: name });
const id: Schema = {
  ...text,
  // Clients drop the segments . and .. from a URL, and no URL holds half a surrogate pair.
  pattern: '^(?!\\.\\.?$)[^\\ud800-\\udfff]+$',
  'x-violation':
    'must have at least one character, must not be . or .., and must be valid Unicode, because clients send it in a URL',
};
const list = (name: string): Schema => ({ type: 'array', items: ref(name) });
// Larger numbers would be rounded.
const size: Schema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

/**
 * The fields of every record of the store. Seeds, snapshots and the admin API take their schemas from here. A field
 * marked as a time is an ISO date-time, but milliseconds since the epoch in a snapshot, with `Ms` after its name.
 */
const records: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  Organization: {
    id: ['? - - !', ref('Id')],
    name: ['! - - !', text],
    origin: ['- - - !', ref('Origin')],
    keys: ['! - - !', ref('Keys')],
    firstKeys: ['- - - !', ref('Keys')],
    ids: ['- - - !', ref('IdState')],
    deferred: ['- - - !', ref('DeferredState')],
    agents: ['? - - !', list('Agent')],
    drives: ['? - - !', list('Drive')],
    mcpServers: ['? - - !', list('McpServer')],
    listed: ['- - - !', ref('ListedIds')],
  },
  Agent: {
    id: ['? ? - !', ref('Id')],
    name: ['! ! ? !', text],
    description: ['? ? 0 ?', text],
    revisions: ['? ? - !', { ...list('Revision'), description: 'Oldest first.' }],
    published: [
      '? ? - -',
      {
        ...{ type: 'integer', minimum: 1 },
        description: 'The number of the published revision, counted from 1. If omitted, none is published.',
      },
    ],
    activeRevisionId: ['- - 0 ?', ref('Id')],
    hasChanges: ['- - ? !', { type: 'boolean' }],
    createdAt: ['? ? ? !', ref('Time'), 'time'],
    updatedAt: ['? ? ? !', ref('Time'), 'time'],
  },
  Revision: { id: ['? ? - !', ref('Id')], createdAt: ['? ? - !', ref('Time'), 'time'] },
  Drive: {
    id: ['? - - !', ref('Id')],
    name: ['! - - !', text],
    createdAt: ['? - - !', ref('Time'), 'time'],
    updatedAt: ['? - - !', ref('Time'), 'time'],
    files: ['? - - !', list('File')],
  },
  File: {
    id: ['? ? - !', ref('Id')],
    name: ['- - - !', text],
    path: ['! ! ? !', ref('FilePath')],
    status: ['? ? ? !', ref('FileStatus')],
    becomes: ['? ? 0 -', ref('Becomes')],
    next: ['- - - ?', ref('NextStatus')],
    modifiedAt: ['? ? ? !', ref('Time'), 'time'],
    sizeBytes: ['? ? ? !', size],
    contentType: ['? ? ? !', text],
    description: ['? ? 0 ?', text],
    summary: ['? ? 0 ?', text],
    metadata: ['? ? 0 ?', { type: 'object' }],
  },
  McpServer: {
    id: ['? - - !', ref('Id')],
    name: ['! - - !', text],
    url: ['! - - !', text],
    type: ['? - - !', ref('McpServerType')],
    tools: ['? - - !', list('Tool')],
    toolsProblem: ['- - - ?', text],
    createdAt: ['? - - !', ref('Time'), 'time'],
    updatedAt: ['? - - !', ref('Time'), 'time'],
  },
};

/** The fields that are times, with their names in the store. */
export const timeFields: ReadonlyMap<string, string> = new Map(
  Object.values(records)
    .flatMap((rows) => Object.entries(rows))
    .flatMap(([name, [, , isTime]]) => (isTime ? [[name, `${name}Ms`] as const] : [])),
);

/** A record with its times as seeds and the admin API write them. They come last. */
export function withIsoTimes<T extends object>(record: T): WithIsoTimes<T> {
  const written = { ...record } as Record<string, unknown>;
  for (const [name, stored] of timeFields) {
    if (!(stored in written)) continue;
    written[name] = new Date(written[stored] as number).toISOString();
    delete written[stored];
  }
  return written as WithIsoTimes<T>;
}

type WithIsoTimes<T> = {
  [Name in keyof T as Name extends `${infer Time}AtMs` ? `${Time}At` : Name]: Name extends `${string}AtMs`
    ? string
    : T[Name];
};

/** The schemas that records refer to. Values come from the contract. */
const shared = (): Readonly<Record<string, Schema>> => ({
  FilePath: filePath(),
  FileStatus: valuesOf('DriveFile', 'status'),
  McpServerType: valuesOf('McpServer', 'type'),
  Becomes: {
    ...closed(['status', 'afterMs'], { status: ref('FileStatus'), afterMs: { ...size, maximum: 3155760000000 } }),
    description: 'The status that the file changes to by itself, and the delay in milliseconds.',
  },
  Tool: closed(['name', 'description'], { name: text, description: text }),
});

/** The contract's rule for paths. A state may hold any path that some profile accepts. */
function filePath(): Schema {
  const contract = contractFor({ ...defaultProfile(loadOpenPoints()), 'pathForm.lineBreaks': 'accepted' });
  const { 'x-open-point': _, description: __, ...rule } = (contract.components?.schemas?.DrivePath ?? {}) as Schema;
  return { type: 'string', description: 'It starts with `/` and has no `..` segment.', ...rule };
}

function valuesOf(schema: string, property: string): Schema {
  return { enum: allowedValues(schema, property) };
}

function closed(required: readonly string[], properties: Schema): Schema {
  return { type: 'object', additionalProperties: false, required, properties };
}

const nameIn: Readonly<Record<Form, (record: string) => string>> = {
  seed: (record) => record,
  new: (record) => `New${record}`,
  change: (record) => `${record}Change`,
  record: (record) => `${record}Record`,
};

function recordSchema(rows: Readonly<Record<string, Row>>, form: Form): Schema | undefined {
  const fields = Object.entries(rows).flatMap(([name, [marks, schema, isTime]]) => {
    const mark = marks.split(' ')[forms.indexOf(form)];
    const inMs = isTime && form === 'record';
    const own = inMs ? ref('TimeMs') : schema;
    return mark === '-' ? [] : [{ name: inMs ? `${name}Ms` : name, mark, schema: mark === '0' ? orNull(own) : own }];
  });
  if (fields.length === 0) return undefined;
  const required = fields.filter(({ mark }) => mark === '!').map(({ name }) => name);
  const properties = Object.fromEntries(fields.map(({ name, schema }) => [name, schema]));
  return { ...closed(required, properties), ...(form === 'change' ? { minProperties: 1 } : {}) };
}

function orNull(schema: Schema): Schema {
  if ('$ref' in schema) return { anyOf: [schema, { type: 'null' }], description: 'Null removes it.' };
  return { ...schema, type: [schema.type, 'null'], description: 'Null removes it.' };
}

/** The schemas of the records in some forms by name, for instance `NewFile`. References begin with `base`. */
function recordSchemas(wanted: readonly Form[], base: string): Record<string, Schema> {
  const named = wanted.flatMap((form) =>
    Object.entries(records).flatMap(([record, rows]) => {
      const schema = recordSchema(rows, form);
      return schema === undefined ? [] : [[nameIn[form](record), resolved(schema, form, base)] as const];
    }),
  );
  const common = Object.entries(shared()).map(([name, schema]) => [name, resolved(schema, 'seed', base)] as const);
  return Object.fromEntries([...common, ...named]);
}

// A list of records has the same form as the record that contains it.
function resolved(schema: Schema, form: Form, base: string): Schema {
  const toPointer = (name: string) => base + (name in records ? nameIn[form](name) : name);
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === '$ref' ? toPointer(value) : value)));
}

/** The schemas of the records in snapshots and requests of the admin API, as components of its document. */
export function controlRecordSchemas(): Record<string, Schema> {
  const base = '#/components/schemas/';
  const next = closed(['status', 'atMs'], { status: ref('FileStatus'), atMs: ref('DueMs') });
  return { ...recordSchemas(['new', 'change', 'record'], base), Id: id, NextStatus: resolved(next, 'record', base) };
}

/** The schemas in the contract of what a seed describes. */
const inContract = { Agent: 'Agent', Drive: 'Drive', File: 'DriveFile', McpServer: 'McpServer', Tool: 'McpTool' };

/** The fields that a record of a seed has in common with its resource in the contract. */
export function seedFieldsOf(record: keyof typeof inContract): string[] {
  const shown = loadDocument().components?.schemas?.[inContract[record]];
  const fieldsOf = (schema: unknown) => Object.keys((schema as { properties: Schema }).properties);
  const written = fieldsOf((seedSchema().$defs as Schema)[record]);
  return written.filter((name) => fieldsOf(shown).includes(name));
}

const seedParts: Readonly<Record<string, Schema>> = {
  Id: { ...id, description: 'If omitted, the mock generates one, the same at each start.' },
  Keys: {
    type: 'array',
    minItems: 1,
    description: 'The API keys that identify this organization.',
    items: {
      type: 'string',
      pattern: '^[!-~]{1,256}$',
      'x-violation': 'must be up to 256 printable ASCII characters without spaces, because it is sent in a header',
    },
  },
  Time: {
    type: 'string',
    format: 'date-time',
    // Two days only in UTC: with an offset, they may lie outside these years.
    pattern: '^(?!0000|9999|(?:0001-01-01|9998-12-31).*[+-]).*:[0-5]\\d(?:\\.\\d+)?(?:[Zz]|[+-]\\d\\d:?\\d\\d)$',
    'x-violation':
      'must be an ISO date-time that exists, with a zone, in the years 1 to 9998, for instance 2026-03-02T08:15:00Z',
  },
};

const forEditors = { description: 'For editors.', type: 'string' };

/** The schema of a seed file: `seed.schema.json`. */
export function seedSchema(): Schema {
  const base = '#/$defs/';
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A seed: the initial data of the mock',
    ...closed(['organizations'], {
      $schema: forEditors,
      organizations: { type: 'array', minItems: 1, items: { $ref: `${base}Organization` } },
    }),
    $defs: { ...seedParts, ...recordSchemas(['seed'], base) },
  };
}
