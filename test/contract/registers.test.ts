import { describe, expect, it } from 'vitest';
import { dereference, openPointsOf } from '../../openapi/contract/document.ts';
import { loadDocument, loadRequirements } from '../../openapi/contract/load.ts';
import { type Operation, type OperationId, operationsOf } from '../../openapi/contract/operations.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import type { OpenPoint } from '../../openapi/points/open-point.ts';

// Contract and registers state the same facts from two sides. Here one side is computed from the other.

const document = loadDocument();
const operations = operationsOf(document);
const openPoints = loadOpenPoints();
const requirements = loadRequirements();
const idsOf = (some: readonly Operation[]) => some.map(({ operationId }) => operationId);

/** The open points marked at a value of the contract and anywhere below it, references included. */
function markedBelow(value: unknown, visited = new Set<unknown>()): string[] {
  if (typeof value !== 'object' || value === null || visited.has(value)) return [];
  visited.add(value);
  const below = (inner: unknown) => markedBelow(inner, visited);
  const target = '$ref' in value ? below(dereference(document, value as { $ref: string })) : [];
  return [...openPointsOf(value), ...target, ...Object.values(value).flatMap(below)];
}

const marked = operations.map(({ operationId, definition }) => ({ operationId, ids: markedBelow(definition) }));

describe('an open point', () => {
  const everywhere = openPointsOf(document.info);

  // One response stands for all error responses; which operation can send which is in sampled-refusals.test.ts.
  const ownPlace = openPoints.filter(({ id }) => !id.startsWith('errorStatus.'));

  it.each(ownPlace)(
    '$id concerns the operations that mark it, or a case that follows it',
    ({ id, operations: some }) => {
      const [point, name] = id.split('.');
      const followers = openPoints.filter((one) => one.id.startsWith(`${point}.`) && one.default === name);
      const named = [id, ...followers.map((one) => one.id)];
      const marking = marked.filter(({ ids }) => everywhere.includes(id) || named.some((one) => ids.includes(one)));
      expect(marking.map(({ operationId }) => operationId).sort()).toEqual(some.toSorted());
    },
  );

  it('is marked either for all operations or in some of them', () => {
    expect(everywhere.filter((id) => marked.some(({ ids }) => ids.includes(id)))).toEqual([]);
  });
});

describe('a choice of which the suite warns', () => {
  const warned = openPoints.flatMap(({ id, choices, default: usual, operations: some }) =>
    choices.flatMap(({ value, warned: by }) => (by === undefined ? [] : [{ id, value, by, usual, some }])),
  );

  it.each(warned)(
    '$id: $value breaks a should of its operations, and is not the default',
    ({ value, by, usual, some }) => {
      const requirement = requirements.find(({ id }) => id === by);
      expect(requirement).toMatchObject({ level: 'should' });
      expect(some.some((operation) => requirement?.operations.includes(operation))).toBe(true);
      expect(value).not.toBe(usual);
    },
  );

  it('is marked where a requirement says that it is legal and warned of', () => {
    // A should that names an open point of its own leaves it open: then its choices say which of them it means.
    const naming = requirements.filter(({ requirement }) => /\(open point ([\w.]+)\)/.test(requirement));
    for (const { id, requirement } of naming) {
      const [, point] = /\(open point ([\w.]+)\)/.exec(requirement) ?? [];
      expect(
        warned.filter((one) => one.by === id).map((one) => one.id),
        id,
      ).toContain(point);
    }
  });
});

describe('the words of an open point', () => {
  // The name of a field, too.
  const others = openPoints.map(({ id }) => id).filter((id) => id !== 'documentCount');

  it.each(openPoints)('of $id name no other open point by its id', ({ id, open, cost, question, choices }) => {
    const words = [open, cost, question, ...choices.map(({ means }) => means)].join('\n').split(/\W+/);
    expect(words.filter((word) => word !== id && others.includes(word))).toEqual([]);
  });

  it.each(openPoints)('of $id say what a wrong guess costs', ({ cost }) => {
    expect(cost).toMatch(/^[A-Z].*\.$/);
  });

  const usual: Readonly<Record<string, string>> = {
    'refused as a conflict': 'errorStatus.conflict',
    'refused as invalid input,': 'errorStatus.invalidInput',
    'refused as invalid input$': 'errorStatus.invalidInput',
    'for an unknown resource': 'errorStatus.notFound',
    'A larger one is refused': 'errorStatus.bodyTooLarge',
    'it is refused,': 'errorStatus.unsupportedMediaType',
  };
  const texts = openPoints.flatMap(({ open, choices }) => [open, ...choices.map(({ means }) => means)]);

  it.each(Object.entries(usual))('that say "%s" say with which code by default', (words, id) => {
    const status = openPoints.find((point) => point.id === id)?.default;
    const said = texts.filter((text) => new RegExp(words).test(text));
    expect(
      said.filter((text) => !text.includes(`by default ${status}`) && !text.includes(`by default with ${status}`)),
    ).toEqual([]);
  });
});

/** The operations that the sections and rows of the specification are about; all others are about every operation. */
const subjects: Readonly<Record<string, readonly OperationId[]>> = {
  '1/row:agents': ['listAgents'],
  '1/row:publishing': ['publishAgentRevision'],
  '1/row:drives': ['createDrive', 'listDrives'],
  '1/row:drive-files': ['getDriveFile', 'updateDriveFile', 'deleteDriveTree'],
  '1/row:mcp-servers': ['createMcpServer', 'listMcpServers', 'listMcpServerTools'],
  '2.drive': ['createDrive', 'listDrives'],
  '2.driveFile': ['getDriveFile', 'updateDriveFile'],
  '2.mcpServer': ['createMcpServer', 'listMcpServers'],
  '2.mcpTool': ['listMcpServerTools'],
  '2.agent': ['listAgents'],
  '2.pagination': ['listDrives'],
  '4.1': ['listAgents'],
  '4.2': ['publishAgentRevision'],
  '4.3': ['createDrive'],
  '4.4': ['listDrives'],
  '4.5': ['getDriveFile'],
  '4.6': ['updateDriveFile'],
  '4.7': ['deleteDriveTree'],
  '4.8': ['createMcpServer'],
  '4.9': ['listMcpServers'],
  '4.10': ['listMcpServerTools'],
  '7/row:401': ['listMcpServerTools'],
  '7/row:404': ['listMcpServerTools'],
  '8/row:limit': ['listDrives'],
  '8/row:offset': ['listDrives'],
  '8/row:path': ['updateDriveFile', 'deleteDriveTree'],
};

function subjectsOf(source: string): readonly OperationId[] | undefined {
  return subjects[source] ?? subjects[source.slice(0, source.indexOf('/'))];
}

/** What both registers say of an entry. */
type Entry = Pick<OpenPoint, 'id' | 'sources' | 'operations'>;

const registers: { register: string; entries: Entry[] }[] = [
  { register: 'open points', entries: openPoints },
  { register: 'requirements', entries: requirements.filter(({ excluded }) => excluded === undefined) },
];

describe.each(registers)('the sources of $register', ({ entries }) => {
  it.each(entries)(
    'of $id are about each of its operations, and about no other alone',
    ({ sources, operations: named }) => {
      const about = sources.map((source) => subjectsOf(source) ?? idsOf(operations));
      expect(named.filter((id) => !about.flat().includes(id))).toEqual([]);
      expect(sources.filter((_, index) => !about[index]?.some((id) => named.includes(id)))).toEqual([]);
    },
  );
});

describe('the requirement of JSON refusals', () => {
  it('points at every response that is no success', () => {
    const entry = requirements.find(({ id }) => id === 'bodies.refusals-are-json');
    const responses = operations.flatMap(({ path, method, definition }) =>
      Object.keys(definition.responses ?? {})
        .filter((code) => !code.startsWith('2'))
        .map((code) => `#/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${code}`),
    );
    expect(entry?.pointer.toSorted()).toEqual(responses.sort());
  });
});
