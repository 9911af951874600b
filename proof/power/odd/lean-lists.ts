import type { WireFault } from '../mutant.ts';
import { changeAnswer, isSuccess, operationIdOf, withBody } from '../mutants/wire-faults.ts';
import type { Oddity } from './oddity.ts';

type Item = Record<string, unknown>;

/** Leaves fields out of the items of the lists of drives and MCP servers. */
function changeItems(change: (item: Item, index: number) => Item): WireFault {
  return changeAnswer(
    (status, request) => isSuccess(status) && ['listDrives', 'listMcpServers'].includes(operationIdOf(request) ?? ''),
    (answer) => {
      const list: Item[] | { data: Item[] } = JSON.parse(answer.body);
      const changed = Array.isArray(list) ? list.map(change) : { ...list, data: list.data.map(change) };
      return withBody(answer, JSON.stringify(changed));
    },
  );
}

function without(item: Item, ...names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
}

const fieldsWhy = 'Sections 4.4, 4.9: no field is listed for the items, as 4.3 and 4.8 do. They should be there.';
const fields = ['*.fields-present'];
const compared = [...fields, '*.created-drive-is-the-same', '*.created-server-is-the-same'];
const listed = [
  ...['*.created-drive', '*.created-server', '*.parallel-creations'],
  ...['*.created-drive-is-the-same', '*.created-server-is-the-same'],
];

const servers: Record<string, Oddity> = {
  'listed-items-have-ids-only': {
    why: fieldsWhy,
    wire: () => changeItems(({ id }) => ({ id })),
    mayWarn: compared,
  },
  'listed-items-have-names-only': {
    why: fieldsWhy,
    wire: () => changeItems(({ name }) => ({ name })),
    mayWarn: [...fields, ...listed],
  },
  'listed-items-have-no-ids': {
    why: fieldsWhy,
    wire: () => changeItems((item) => without(item, 'id')),
    mayWarn: [...fields, ...listed],
  },
  'listed-items-have-no-names': {
    why: fieldsWhy,
    wire: () => changeItems((item) => without(item, 'name')),
    mayWarn: compared,
  },
  'listed-items-have-no-owners': {
    why: fieldsWhy,
    wire: () => changeItems((item) => without(item, 'organizationId')),
    mayWarn: compared,
  },
  'some-listed-items-have-no-owners': {
    why: fieldsWhy,
    wire: () => changeItems((item, index) => (index % 2 === 0 ? item : without(item, 'organizationId'))),
    mayWarn: compared,
  },
  'listed-items-have-no-times': {
    why: fieldsWhy,
    wire: () => changeItems((item) => without(item, 'createdAt', 'updatedAt')),
    mayWarn: compared,
  },
  'listed-servers-have-no-urls': {
    why: fieldsWhy,
    wire: () => changeItems((item) => without(item, 'url', 'type')),
    mayWarn: compared,
  },
  'listed-items-are-empty': {
    why: fieldsWhy,
    wire: () => changeItems(() => ({})),
    mayWarn: [...fields, ...listed],
  },
};

/** Lists that lack what they should show, but must not. Nothing comes late there. */
export const leanLists = Object.fromEntries(
  Object.entries(servers).map(([id, server]) => [id, { ...server, settleMs: 50 }]),
);
