// Faults that show with time: late effects that never come, times that change, things that come back.

import type { Operation, Variant } from './engine.ts';
import type { Line } from './journal.ts';
import { stamp } from './journal.ts';
import type { Item } from './variant.ts';
import { good, itemsOf, makers } from './variant.ts';

const { must, should } = makers('time');
// Lines of this type count only for so long.
const fades =
  (type: Line['type'], ms: number): Variant =>
  (lab) => {
    let seeds = -1;
    return {
      act(_ask, next) {
        if (seeds < 0) seeds = lab.journal.length;
        return next();
      },
      see: (lines, ask) => lines.filter((line) => !(line.type === type && line.n > seeds && ask.at > line.at + ms)),
    };
  };
const comesAfter =
  (type: Line['type'], ms: number): Variant =>
  () => ({ note: (line) => (line.type === type ? { ...line, effectAt: line.at + ms } : line) });
const never =
  (type: Line['type']): Variant =>
  () => ({ note: (line) => (line.type === type ? null : line) });
// Changes a field of the resources in these lists.
const touch =
  (ops: Operation[], change: (item: any, ask: { at: number; n: number; op: Operation | null }) => void): Variant =>
  () => ({
    tell(reply, ask) {
      if (!reply.ok || !ask.op || !ops.includes(ask.op)) return;
      for (const item of ask.op === 'files.get' ||
      ask.op === 'files.move' ||
      ask.op === 'drives.create' ||
      ask.op === 'mcp.create'
        ? [reply.body]
        : itemsOf(reply, ask))
        change(item, ask);
    },
  });
const age = (item: any, ask: { at: number }): number => ask.at - Date.parse(item.createdAt);

export const timeFaults: readonly Item[] = [
  must(
    'new-drive-never-comes-into-the-list',
    '4.4',
    'A new drive is acknowledged and never listed.',
    never('drive-created'),
  ),
  must(
    'new-mcp-server-never-comes-into-the-list',
    '4.9',
    'A registered MCP server is acknowledged and never listed.',
    never('mcp-known'),
  ),
  must(
    'new-drive-comes-after-five-seconds',
    '4.4',
    'A new drive is listed after five seconds, much later than declared.',
    comesAfter('drive-created', 5000),
  ),
  must(
    'new-mcp-server-comes-after-five-seconds',
    '4.9',
    'A registered MCP server is listed after five seconds, much later than declared.',
    comesAfter('mcp-known', 5000),
  ),
  must(
    'new-drive-goes-after-a-second',
    '4.4',
    'A new drive is listed at once and is gone after a second.',
    fades('drive-created', 1000),
  ),
  must(
    'new-mcp-server-goes-after-a-second',
    '4.9',
    'A registered MCP server is listed at once and is gone after a second.',
    fades('mcp-known', 1000),
  ),
  must(
    'move-is-undone-after-a-second',
    '4.6',
    'A moved file is back at its old path after a second.',
    fades('file-moved', 1000),
  ),
  must(
    'deleted-tree-comes-back-after-a-second',
    '4.7',
    'The files of a deleted tree can be read again after a second.',
    fades('files-deleted', 1000),
  ),
  must(
    'deletion-never-happens',
    '4.7',
    'A tree deletion is acknowledged with a job and never happens.',
    never('files-deleted'),
  ),
  must(
    'deletion-takes-five-seconds',
    '4.7',
    'The files of a deleted tree are there for five seconds, much longer than declared.',
    comesAfter('files-deleted', 5000),
  ),
  must(
    'deletion-never-comes-to-its-second-half',
    '4.7',
    'Half of the files of a tree are deleted at once, the other half never.',
    () => ({
      note: (line) =>
        line.type === 'files-deleted'
          ? { ...line, fileIds: line.fileIds.slice(0, Math.ceil(line.fileIds.length / 2)) }
          : line,
    }),
  ),
  must(
    'deletion-takes-neighbours-a-little-later',
    '4.7',
    'Some time after a deletion, files of directories whose names begin alike are gone, too.',
    (lab) => ({
      note(line, ask) {
        if (line.type !== 'files-deleted') return line;
        const tree = ask.query.get(lab.settings.treeParameter) ?? '';
        return [
          line,
          {
            ...line,
            n: line.n + 0.5,
            effectAt: line.at + 350,
            fileIds: lab
              .picture()
              .files.filter((row) => row.driveId === line.driveId && row.item.path.startsWith(tree))
              .map((row) => row.item.id),
          },
        ];
      },
    }),
  ),
  must(
    'creation-time-of-drives-is-now',
    '2',
    'The createdAt of the drives made since the start is always the present time.',
    touch(['drives.list'], (item, ask) => {
      if (age(item, ask) < 3_600_000) item.createdAt = stamp(ask.at);
    }),
  ),
  must(
    'creation-time-of-mcp-servers-follows-the-last-one',
    '2',
    'The createdAt of all MCP servers follows the latest registration.',
    () => ({
      tell(reply, ask) {
        if (ask.op === 'mcp.list') {
          const last = itemsOf(reply, ask)
            .map((one) => one.createdAt)
            .sort()
            .at(-1);
          for (const one of itemsOf(reply, ask)) if (age({ createdAt: last }, ask) < 3_600_000) one.createdAt = last;
        }
      },
    }),
  ),
  must(
    'creation-time-of-a-drive-is-rounded-in-the-list',
    '2',
    'The list shows the createdAt of a drive as the whole second before, other than the answer to its creation.',
    () => ({
      tell(reply, ask) {
        if (ask.op === 'drives.list')
          for (const one of itemsOf(reply, ask))
            one.createdAt = stamp(Math.floor(Date.parse(one.createdAt) / 1000) * 1000 - 1000);
      },
    }),
  ),
  must(
    'creation-time-of-agents-drifts',
    '2',
    'The createdAt of the first agent moves on by a minute with each list.',
    () => {
      let n = 0;
      return {
        tell(reply, ask) {
          if (ask.op === 'agents.list' && reply.ok)
            reply.body[0].createdAt = stamp(Date.parse(reply.body[0].createdAt) + 60_000 * n++);
        },
      };
    },
  ),
  must(
    'creation-time-of-a-drive-moves-with-its-files',
    '2',
    'A move of a file sets the createdAt of its drive to the present time.',
    (lab) => ({
      tell(reply, ask) {
        if (ask.op === 'drives.list')
          for (const one of itemsOf(reply, ask)) {
            const move = lab.journal.findLast(
              (line) =>
                line.type === 'file-moved' &&
                lab.journal.some(
                  (file) => file.type === 'file-known' && file.file.id === line.fileId && file.driveId === one.id,
                ),
            );
            if (move) one.createdAt = stamp(move.at);
          }
      },
    }),
  ),
  must(
    'creation-time-of-new-drives-is-long-ago',
    '2',
    'Every new drive says that it was created in 1970.',
    touch(['drives.create', 'drives.list'], (item, ask) => {
      if (age(item, ask) < 3_600_000) item.createdAt = '1970-01-01T00:00:00.000Z';
    }),
  ),
  must(
    'creation-time-of-new-mcp-servers-is-next-year',
    '2',
    'Every new MCP server says that it will be created a year later.',
    touch(['mcp.create', 'mcp.list'], (item, ask) => {
      if (age(item, ask) < 3_600_000) item.createdAt = stamp(Date.parse(item.createdAt) + 366 * 86_400_000);
    }),
  ),
  must(
    'reading-renews-a-file',
    '4.5',
    'Reading a file sets its modifiedAt to the time of reading.',
    touch(['files.get'], (item, ask) => {
      item.modifiedAt = stamp(ask.at);
    }),
  ),
  must(
    'listing-renews-agents',
    '4.1',
    'Listing agents sets their updatedAt to the time of listing.',
    touch(['agents.list'], (item, ask) => {
      item.updatedAt = stamp(ask.at);
    }),
  ),
  must(
    'listing-renews-mcp-servers',
    '4.9',
    'Listing MCP servers sets their updatedAt to the time of listing.',
    touch(['mcp.list'], (item, ask) => {
      item.updatedAt = stamp(ask.at);
    }),
  ),
  must(
    'listing-renews-drives-on-the-page',
    '4.4',
    'Listing a page of drives sets the updatedAt of the drives on it, as the next list shows.',
    () => {
      const seen = new Map<string, string>();
      return {
        tell(reply, ask) {
          if (ask.op === 'drives.list')
            for (const one of itemsOf(reply, ask)) {
              one.updatedAt = seen.get(one.id) ?? one.updatedAt;
              seen.set(one.id, stamp(ask.at));
            }
        },
      };
    },
  ),
  must('reading-tools-renews-the-mcp-server', '4.10', 'Reading the tools of a server sets its updatedAt.', () => {
    const seen = new Map<string, string>();
    return {
      tell(reply, ask) {
        if (good(reply, ask, 'mcp.tools')) seen.set(ask.ids[0]!, stamp(ask.at));
        if (ask.op === 'mcp.list')
          for (const one of itemsOf(reply, ask)) one.updatedAt = seen.get(one.id) ?? one.updatedAt;
      },
    };
  }),
  must(
    'deleted-file-answers-again-at-the-third-read',
    '4.7',
    'A deleted file is missing twice and found at the third read.',
    (lab) => {
      const reads = new Map<string, number>();
      return {
        see: (lines) =>
          lines.map((line) =>
            line.type === 'files-deleted'
              ? { ...line, fileIds: line.fileIds.filter((id) => (reads.get(id) ?? 0) < 3) }
              : line,
          ),
        act(ask, next) {
          if (
            ask.op === 'files.get' &&
            lab.journal.some((line) => line.type === 'files-deleted' && line.fileIds.includes(ask.ids[1]!))
          )
            reads.set(ask.ids[1]!, (reads.get(ask.ids[1]!) ?? 0) + 1);
          return next();
        },
      };
    },
  ),
  must(
    'new-drive-gets-its-final-id-later',
    '2',
    'Half a second after its creation a drive is listed with another id.',
    touch(['drives.list'], (item, ask) => {
      if (age(item, ask) > 500 && age(item, ask) < 3_600_000) item.id = `${item.id}-final`;
    }),
  ),
  must(
    'new-drive-is-renamed-later',
    '2',
    'Half a second after its creation a drive has its name in small letters.',
    touch(['drives.list'], (item, ask) => {
      if (age(item, ask) > 500 && age(item, ask) < 3_600_000) item.name = item.name.toLowerCase();
    }),
  ),
  must(
    'mcp-server-changes-to-an-unknown-type',
    '2',
    'Half a second after its registration an MCP server has the type stdio.',
    touch(['mcp.list'], (item, ask) => {
      if (age(item, ask) > 500 && age(item, ask) < 3_600_000) item.type = 'stdio';
    }),
  ),
  must(
    'mcp-server-moves-to-another-organization-id',
    '2',
    'Half a second after its registration an MCP server has an empty organizationId.',
    touch(['mcp.list'], (item, ask) => {
      if (age(item, ask) > 500 && age(item, ask) < 3_600_000) item.organizationId = '';
    }),
  ),
  must(
    'file-is-moving-for-a-while',
    '2',
    'For 400 ms after a move the status of the file is moving.',
    touch(['files.move', 'files.get'], (item, ask) => {
      if (ask.at - Date.parse(item.modifiedAt) < 400) item.status = 'moving';
    }),
  ),
  must(
    'file-is-deleting-for-a-while',
    '2',
    'While a tree is being deleted its files can be read with the status deleting.',
    (lab) => ({
      note: (line) => (line.type === 'files-deleted' ? { ...line, effectAt: line.at + 400 } : line),
      tell(reply, ask) {
        const file = good(reply, ask, 'files.get');
        if (file && lab.journal.some((line) => line.type === 'files-deleted' && line.fileIds.includes(file.id)))
          file.status = 'deleting';
      },
    }),
  ),
  must(
    'tools-are-gone-at-the-second-read',
    '4.10',
    'The second read of the tools of a server finds an empty list.',
    () => {
      const seen = new Set<string>();
      return {
        tell(reply, ask) {
          const body = good(reply, ask, 'mcp.tools');
          if (!body) return;
          if (seen.has(ask.ids[0]!)) body.tools = [];
          seen.add(ask.ids[0]!);
        },
      };
    },
  ),
  must(
    'agent-is-away-for-two-seconds-after-a-publish',
    '4.1',
    'An agent is missing in the list for two seconds after its publish.',
    (lab) => ({
      tell(reply, ask) {
        if (ask.op === 'agents.list' && reply.ok)
          reply.body = reply.body.filter(
            (one: any) =>
              !lab.journal.some(
                (line) => line.type === 'revision-published' && line.agentId === one.id && ask.at < line.at + 2000,
              ),
          );
      },
    }),
  ),
  must(
    'times-of-moved-files-carry-a-local-offset',
    '2',
    'After a move the modifiedAt of a file is written with the offset +02:00.',
    touch(['files.move', 'files.get'], (item, ask) => {
      if (ask.at - Date.parse(item.modifiedAt) < 3_600_000)
        item.modifiedAt = stamp(Date.parse(item.modifiedAt) + 7_200_000).replace('Z', '+02:00');
    }),
  ),
  must(
    'times-of-published-agents-lack-their-zone',
    '2',
    'After a publish the updatedAt of an agent has a blank in place of T and no zone.',
    touch(['agents.list'], (item, ask) => {
      if (ask.at - Date.parse(item.updatedAt) < 3_600_000)
        item.updatedAt = item.updatedAt.replace('T', ' ').replace('Z', '');
    }),
  ),
  must(
    'times-of-new-drives-are-numbers-later',
    '2',
    'Half a second after its creation the createdAt of a drive is a number.',
    touch(['drives.list'], (item, ask) => {
      if (age(item, ask) > 500 && age(item, ask) < 3_600_000) item.createdAt = Date.parse(item.createdAt);
    }),
  ),
  must('moved-file-is-gone-after-a-second', '4.5', 'A second after its move a file cannot be read any more.', () => ({
    see: (lines, ask) => {
      const gone = lines.flatMap((line) =>
        line.type === 'file-moved' && ask.at > line.at + 1000 ? [line.fileId] : [],
      );
      return lines.filter((line) => !(line.type === 'file-known' && gone.includes(line.file.id)));
    },
  })),
  should(
    'publish-fades-after-a-second',
    '3',
    'A second after its publish an agent says isPublished false again.',
    (lab) => ({
      tell(reply, ask) {
        if (ask.op === 'agents.list')
          for (const one of itemsOf(reply, ask))
            if (
              lab.journal.some(
                (line) => line.type === 'revision-published' && line.agentId === one.id && ask.at > line.at + 1000,
              )
            )
              one.isPublished = false;
      },
    }),
  ),
  should(
    'publish-never-shows',
    '3',
    'An agent that was published for the first time says isPublished false for ever.',
    never('revision-published'),
  ),
  should(
    'update-time-lies-before-the-creation-time',
    '2',
    'The updatedAt of every new drive lies a day before its createdAt.',
    touch(['drives.create', 'drives.list'], (item, ask) => {
      if (age(item, ask) < 3_600_000) item.updatedAt = stamp(Date.parse(item.createdAt) - 86_400_000);
    }),
  ),
  should(
    'modification-time-lies-in-the-future',
    '2',
    'After a move the modifiedAt of a file lies a year ahead.',
    touch(['files.move', 'files.get'], (item, ask) => {
      if (ask.at - Date.parse(item.modifiedAt) < 3_600_000)
        item.modifiedAt = stamp(Date.parse(item.modifiedAt) + 365 * 86_400_000);
    }),
  ),
];
