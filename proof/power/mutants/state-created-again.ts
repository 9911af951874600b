import type { IncomingHttpHeaders } from 'node:http';
import type { Mutant } from '../mutant.ts';
import { creationTable } from './creation-kinds.ts';
import { onCallersOf } from './patch.ts';
import { changeAnswered, changeListed, idsOf, inEach, mcpServers, organizationsOf, sequence } from './patch-store.ts';
import { table, wireTable } from './table.ts';
import { write } from './wire-faults.ts';

/** What becomes of later creations, and of earlier ones by them. */
const later = creationTable({
  '<create>.each-answer-repeats-the-request: every-fourth-new-thing-is-answered-with-the-name-of-the-one-before': [
    'Every fourth creation of a thing is answered with the name of the one before it.',
    (shelf) => (engine) => {
      let [count, name] = [0, ''];
      changeAnswered(shelf, (record) => {
        const before = name;
        name = record.name;
        return ++count % 4 === 0 ? { name: before } : {};
      })(engine);
    },
  ],
  '<create>.each-owner: new-things-belong-to-the-first-organization': [
    'A creation of a thing with any key is answered with the organizationId of the first organization.',
    (shelf) => changeAnswered(shelf, (_, __, engine) => ({ organizationId: organizationsOf(engine)[0]?.id })),
  ],
  '<create>.own-organization-at-once: new-things-come-into-the-list-of-the-first-organization': [
    'A new thing comes into the list of the first organization, whoever created it.',
    (shelf) =>
      inEach((organization, engine) => {
        const [first = organization] = organizationsOf(engine);
        const { list } = shelf(first);
        const add = list.add.bind(list);
        shelf(organization).list.add = (record) => add(record);
      }),
  ],
  '<list>.namesake-kept: a-new-thing-takes-the-place-of-its-namesake': [
    'A new thing takes the place in the list of an earlier one with the same name.',
    (shelf) =>
      inEach((organization) => {
        const { list } = shelf(organization);
        const add = list.add.bind(list);
        list.add = (record) => {
          for (const earlier of list.all().filter(({ name }) => name === record.name)) list.remove(earlier);
          add(record);
        };
      }),
  ],
  '<list>.namesake-kept.other-organization: a-new-thing-takes-the-place-of-a-foreign-namesake': [
    'A new thing takes the place of one with the same name in another organization.',
    (shelf) =>
      inEach((organization, engine) => {
        const { list } = shelf(organization);
        const add = list.add.bind(list);
        list.add = (record) => {
          for (const other of organizationsOf(engine).filter((one) => one !== organization)) {
            const { list: theirs } = shelf(other);
            for (const one of theirs.all().filter(({ name }) => name === record.name)) theirs.remove(one);
          }
          add(record);
        };
      }),
  ],
  '<list>.creation-makes-one: a-new-thing-is-made-twice': [
    'Each creation of a thing makes a second one with an id of its own.',
    (shelf, { idKind }) =>
      inEach((organization) => {
        const { list } = shelf(organization);
        const add = list.add.bind(list);
        list.add = (record) => {
          add({ ...record, id: organization.ids(idKind) });
          add(record);
        };
      }),
  ],
  '<list>.<created>-stays: a-new-thing-is-no-longer-listed-after-a-deletion': [
    'Once a tree was deleted, the list shows no new thing any more.',
    (shelf) => (engine) => {
      const seeded = idsOf(engine, shelf);
      let isOver = false;
      sequence(
        onCallersOf('deleteDriveTree', (call, sound) => {
          const answer = sound.answer(call);
          isOver ||= answer.status < 300;
          return answer;
        }),
        changeListed(shelf, (all) => all.filter(({ id }) => !isOver || seeded.has(id))),
      )(engine);
    },
  ],
});

const urls: readonly Mutant[] = table('state', 'store', {
  'listMcpServers.same-url-listed: of-two-mcp-servers-with-one-url-the-first-is-listed': [
    'GET /mcp-servers lists the first of all MCP servers with the same URL only.',
    changeListed(mcpServers, (all) =>
      all.filter(({ url }, index) => all.findIndex((other) => other.url === url) === index),
    ),
  ],
});

const create = ['createDrive', 'createMcpServer'] as const;

/** Instances that cannot create. */
function isDemoKey({ authorization, 'x-api-key': key = authorization }: IncomingHttpHeaders): boolean {
  return /^(Bearer )?demo-key$/.test(String(key));
}

const failing: readonly Mutant[] = create.flatMap((operation) =>
  wireTable('transport', {
    [`${operation}.each-one-succeeds: every-fifth-${operation === 'createDrive' ? 'drive' : 'mcp-server'}-fails`]: [
      `One of five instances behind a gateway cannot carry out ${operation}: the gateway answers 502.`,
      () => {
        let count = 0;
        return async (request, response, forward) => {
          const isHit = request.method === 'POST' && isDemoKey(request.headers) && ++count % 5 === 0;
          const failure = { status: 502, headers: { 'content-type': 'application/json' }, body: '{}' };
          write(response, isHit ? failure : await forward());
        };
      },
    ],
  }),
);

export const stateOfLaterCreations: readonly Mutant[] = [...later, ...urls, ...failing];
