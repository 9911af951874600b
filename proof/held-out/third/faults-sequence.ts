// Faults that need an earlier step: A then B, A then B then A again, a refusal and then the next request.

import type { Ask, Lab } from './engine.ts';
import { no } from './engine.ts';
import type { Line } from './journal.ts';
import type { Item } from './variant.ts';
import { good, itemsOf, makers } from './variant.ts';

const { must, should } = makers('sequence');

// All paths a file has had, oldest first.
const pathsOf = (lab: Lab, fileId: string): string[] =>
  lab.journal.flatMap((line) =>
    line.type === 'file-known' && line.file.id === fileId
      ? [line.file.path]
      : line.type === 'file-moved' && line.fileId === fileId
        ? [line.path]
        : [],
  );
const pathNow = (lab: Lab, fileId: string): string => pathsOf(lab, fileId).at(-1) ?? '';
const folder = (path: string): string => path.slice(0, path.lastIndexOf('/'));
const asked = (ask: Ask, lab: Lab): string => ask.query.get(lab.settings.treeParameter) ?? '';
const publishes = (lab: Lab, agentId: string): string[] =>
  lab.journal.flatMap((line) =>
    line.type === 'revision-published' && line.agentId === agentId ? [line.revisionId] : [],
  );
// Lines written after the start. The seeds are the first lines, before any request.
const madeSince = (lines: Line[], seeds: number): Line[] => lines.slice(seeds);
// Notes how long the journal was at the first request.
const marked = (lab: Lab): (() => number) => {
  let seeds = -1;
  return () => (seeds < 0 ? (seeds = lab.journal.length) : seeds);
};

export const sequenceFaults: readonly Item[] = [
  must(
    'move-back-is-lost',
    '4.6',
    'Moving a file back to a path it had before is acknowledged, and the file stays where it was.',
    (lab) => ({
      note: (line) => (line.type === 'file-moved' && pathsOf(lab, line.fileId).includes(line.path) ? null : line),
    }),
  ),
  must(
    'move-back-answers-the-middle-path',
    '4.6',
    'The reply to a move back to an earlier path shows the path in between.',
    (lab) => ({
      tell(reply, ask) {
        const file = good(reply, ask, 'files.move');
        const paths = file ? pathsOf(lab, file.id) : [];
        if (file && paths.slice(0, -1).includes(paths.at(-1)!)) file.path = paths.at(-2);
      },
    }),
  ),
  must(
    'second-move-of-a-file-is-lost',
    '4.6',
    'The second move of the same file is acknowledged and has no effect.',
    (lab) => ({
      note: (line) => (line.type === 'file-moved' && pathsOf(lab, line.fileId).length === 2 ? null : line),
    }),
  ),
  must('repeated-move-breaks', '4.6', 'Sending the same move once more is answered with 500.', (lab) => ({
    act: (ask, next) =>
      ask.op === 'files.move' && ask.body?.path === pathNow(lab, ask.ids[1]!) ? no(500, 'nothing to do') : next(),
  })),
  must(
    'move-takes-a-neighbour-along',
    '4.6',
    'Moving a file into another directory also moves one other file of its old directory.',
    (lab) => ({
      note(line, ask) {
        if (line.type !== 'file-moved') return line;
        const from = folder(pathNow(lab, line.fileId)),
          to = folder(line.path);
        const other =
          from === to
            ? undefined
            : lab
                .picture()
                .files.find(
                  (row) => row.driveId === ask.ids[0] && row.item.id !== line.fileId && folder(row.item.path) === from,
                );
        return other ? [line, { ...line, fileId: other.item.id, path: `${to}/${other.item.name}` }] : line;
      },
    }),
  ),
  must(
    'second-move-answers-a-new-id',
    '4.6',
    'From its second move on, a file is answered with another id than the one asked for.',
    (lab) => ({
      tell(reply, ask) {
        const file = good(reply, ask, 'files.move');
        if (file && pathsOf(lab, file.id).length > 2) file.id = `${file.id}-2`;
      },
    }),
  ),
  must(
    'twice-moved-file-cannot-be-read',
    '4.5',
    'A file that was moved twice is no longer found under its id.',
    (lab) => ({
      act: (ask, next) =>
        ask.op === 'files.get' && pathsOf(lab, ask.ids[1]!).length > 2 ? no(404, 'unknown file') : next(),
    }),
  ),
  must(
    'moved-twice-goes-back-when-listed',
    '4.6',
    'Listing drives after a second move puts the file back to its path before.',
    (lab) => {
      let undone = new Set<number>();
      return {
        see: (lines) => lines.filter((line) => !undone.has(line.n)),
        act(ask, next) {
          if (ask.op === 'drives.list')
            undone = new Set(
              lab.journal
                .filter(
                  (line) =>
                    line.type === 'file-moved' &&
                    pathsOf(lab, line.fileId).length > 2 &&
                    line.path === pathNow(lab, line.fileId),
                )
                .map((line) => line.n),
            );
          return next();
        },
      };
    },
  ),
  must(
    'next-move-brings-a-deleted-tree-back',
    '4.7',
    'After a tree was deleted, moving another file of the drive makes the deleted files readable again.',
    () => ({
      see: (lines) =>
        lines.filter(
          (line) =>
            !(line.type === 'files-deleted' && lines.some((later) => later.type === 'file-moved' && later.n > line.n)),
        ),
    }),
  ),
  must(
    'new-drive-brings-a-deleted-tree-back',
    '4.7',
    'After a tree was deleted, creating a drive makes the deleted files readable again.',
    () => ({
      see: (lines) =>
        lines.filter(
          (line) =>
            !(
              line.type === 'files-deleted' && lines.some((later) => later.type === 'drive-created' && later.n > line.n)
            ),
        ),
    }),
  ),
  must(
    'deleted-file-can-be-moved-back-to-life',
    '4.7',
    'A move of a deleted file is accepted and the file exists again.',
    (lab) => {
      const revived = new Set<string>();
      return {
        see: (lines) =>
          lines.map((line) =>
            line.type === 'files-deleted' ? { ...line, fileIds: line.fileIds.filter((id) => !revived.has(id)) } : line,
          ),
        act(ask, next) {
          if (
            ask.op === 'files.move' &&
            lab.journal.some(
              (line) => line.type === 'files-deleted' && line.org === ask.org && line.fileIds.includes(ask.ids[1]!),
            )
          )
            revived.add(ask.ids[1]!);
          return next();
        },
      };
    },
  ),
  must(
    'second-deletion-undoes-the-first',
    '4.7',
    'Deleting the same tree a second time brings its files back.',
    (lab) => {
      const done = new Map<string, number>(),
        undone = new Set<number>();
      return {
        see: (lines) => lines.filter((line) => !undone.has(line.n)),
        note(line, ask) {
          const key = `${ask.ids[0]} ${asked(ask, lab)}`;
          if (line.type === 'files-deleted' && done.has(key)) undone.add(done.get(key)!);
          else if (line.type === 'files-deleted') done.set(key, line.n);
          return line;
        },
      };
    },
  ),
  must(
    'deletion-follows-the-old-path',
    '4.7',
    'Deleting a tree also deletes a file that was moved out of it before.',
    (lab) => ({
      note: (line, ask) =>
        line.type === 'files-deleted'
          ? {
              ...line,
              fileIds: lab
                .picture()
                .files.filter(
                  (row) =>
                    row.driveId === line.driveId &&
                    (line.fileIds.includes(row.item.id) ||
                      pathsOf(lab, row.item.id).some((path) => path.startsWith(`${asked(ask, lab)}/`))),
                )
                .map((row) => row.item.id),
            }
          : line,
    }),
  ),
  must(
    'deletion-spares-files-moved-in',
    '4.7',
    'Deleting a tree leaves a file that was moved into it before.',
    (lab) => ({
      note: (line) =>
        line.type === 'files-deleted'
          ? { ...line, fileIds: line.fileIds.filter((id) => pathsOf(lab, id).length === 1) }
          : line,
    }),
  ),
  must(
    'deletion-of-a-parent-after-its-child-does-nothing',
    '4.7',
    'After a directory was deleted, deleting its parent is acknowledged and has no effect.',
    (lab) => {
      const before: string[] = [];
      return {
        note(line, ask) {
          if (line.type !== 'files-deleted') return line;
          const tree = asked(ask, lab),
            stale = before.some((one) => one.startsWith(`${ask.ids[0]} ${tree}/`));
          before.push(`${ask.ids[0]} ${tree}`);
          return stale ? null : line;
        },
      };
    },
  ),
  must(
    'second-deletion-in-a-drive-is-ignored',
    '4.7',
    'Only the first tree deletion in a drive has an effect; later ones are only acknowledged.',
    (lab) => ({
      note: (line) =>
        line.type === 'files-deleted' &&
        lab.journal.some((one) => one.type === 'files-deleted' && one.driveId === line.driveId)
          ? null
          : line,
    }),
  ),
  must(
    'deletion-repeats-in-the-drive-deleted-from-before',
    '4.7',
    'A tree deletion also deletes the same path in the drive of the deletion before it.',
    (lab) => ({
      note(line, ask) {
        if (line.type !== 'files-deleted') return line;
        const before = lab.journal.findLast(
          (one) => one.type === 'files-deleted' && one.org === line.org && one.driveId !== line.driveId,
        );
        if (before?.type !== 'files-deleted') return line;
        const fileIds = lab
          .picture()
          .files.filter((row) => row.driveId === before.driveId && row.item.path.startsWith(`${asked(ask, lab)}/`))
          .map((row) => row.item.id);
        return [line, { ...line, driveId: before.driveId, fileIds }];
      },
    }),
  ),
  must(
    'emptied-drive-leaves-the-list',
    '4.4',
    'A drive whose last file was deleted is no longer in the list of drives.',
    () => ({
      see(lines) {
        const gone = new Set(lines.flatMap((line) => (line.type === 'files-deleted' ? line.fileIds : [])));
        return lines.filter((line) => {
          if (line.type !== 'drive-created') return true;
          const files = lines.filter((one) => one.type === 'file-known' && one.driveId === line.drive.id);
          return files.length === 0 || !files.every((one) => one.type === 'file-known' && gone.has(one.file.id));
        });
      },
    }),
  ),
  must(
    'move-into-a-deleted-directory-breaks',
    '4.6',
    'Moving a file into a directory that was deleted before is answered with 500.',
    (lab) => {
      const trees: string[] = [];
      return {
        act(ask, next) {
          if (ask.op === 'files.move' && trees.some((tree) => String(ask.body?.path).startsWith(`${tree}/`)))
            return no(500, 'no parent');
          const reply = next();
          if (ask.op === 'tree.delete' && reply.ok) trees.push(asked(ask, lab));
          return reply;
        },
      };
    },
  ),
  must(
    'publishing-the-first-revision-again-breaks',
    '4.2',
    'Publishing revision A, then B, then A again is answered with 500.',
    (lab) => ({
      act: (ask, next) =>
        ask.op === 'agents.publish' && publishes(lab, ask.ids[0]!).slice(0, -1).includes(ask.body?.revisionId)
          ? no(500, 'duplicate version')
          : next(),
    }),
  ),
  must(
    'published-agent-stands-twice',
    '4.1',
    'An agent that was published twice stands twice in the list of agents.',
    (lab) => ({
      tell(reply, ask) {
        if (ask.op === 'agents.list' && reply.ok)
          reply.body = reply.body.flatMap((agent: any) =>
            publishes(lab, agent.id).length > 1 ? [agent, { ...agent }] : [agent],
          );
      },
    }),
  ),
  must(
    'second-publish-drops-the-agent',
    '4.1',
    'After its second publish an agent is missing in the list of agents.',
    (lab) => ({
      tell(reply, ask) {
        if (ask.op === 'agents.list' && reply.ok)
          reply.body = reply.body.filter((agent: any) => publishes(lab, agent.id).length < 2);
      },
    }),
  ),
  must(
    'publish-renews-the-creation-time',
    '2',
    'Publishing sets the createdAt of the agent to the time of publishing.',
    (lab) => ({
      tell(reply, ask) {
        if (ask.op === 'agents.list')
          for (const agent of itemsOf(reply, ask))
            if (publishes(lab, agent.id).length) agent.createdAt = agent.updatedAt;
      },
    }),
  ),
  must(
    'published-agent-is-listed-under-its-revision',
    '4.1',
    'After a publish the agent is listed with the id of the revision instead of its own.',
    (lab) => ({
      tell(reply, ask) {
        if (ask.op === 'agents.list')
          for (const agent of itemsOf(reply, ask)) agent.id = publishes(lab, agent.id).at(-1) ?? agent.id;
      },
    }),
  ),
  must(
    'publish-after-a-refused-publish-breaks',
    '4.2',
    'After an unknown revision was refused, the next valid publish of the agent is answered with 500.',
    () => {
      const stuck = new Set<string>();
      return {
        act(ask, next) {
          if (ask.op !== 'agents.publish') return next();
          if (stuck.delete(ask.ids[0]!)) return no(500, 'still busy');
          const reply = next();
          if (!reply.ok) stuck.add(ask.ids[0]!);
          return reply;
        },
      };
    },
  ),
  must(
    'drives-of-one-name-share-an-id',
    '2',
    'A second drive of the same name gets the id of the first one, and both stand in the list.',
    (lab) => {
      const twin = (name: string, org: string) =>
        lab.journal.find((line) => line.type === 'drive-created' && line.org === org && line.drive.name === name);
      return {
        note(line) {
          const first = line.type === 'drive-created' ? twin(line.drive.name, line.org) : undefined;
          return line.type === 'drive-created' && first?.type === 'drive-created'
            ? { ...line, drive: { ...line.drive, id: first.drive.id } }
            : line;
        },
        tell(reply, ask) {
          const drive = good(reply, ask, 'drives.create'),
            first = drive ? twin(drive.name, ask.org) : undefined;
          if (first?.type === 'drive-created') drive.id = first.drive.id;
        },
      };
    },
  ),
  must(
    'repeated-name-hides-the-earlier-drive',
    '4.4',
    'Creating drives named A, B and A again makes the first A disappear from the list.',
    () => ({
      see: (lines) =>
        lines.filter(
          (line) =>
            !(
              line.type === 'drive-created' &&
              lines.some(
                (later) =>
                  later.type === 'drive-created' &&
                  later.n > line.n + 1 &&
                  later.org === line.org &&
                  later.drive.name === line.drive.name,
              )
            ),
        ),
    }),
  ),
  must(
    'new-drive-renews-the-times-of-older-ones',
    '2',
    'Creating a drive sets the createdAt of all older drives of the organization to its own.',
    (lab) => {
      const seeds = marked(lab);
      return {
        act(_ask, next) {
          seeds();
          return next();
        },
        tell(reply, ask) {
          const last = madeSince(lab.journal, seeds()).findLast(
            (line) => line.type === 'drive-created' && line.org === ask.org,
          );
          if (ask.op === 'drives.list' && last?.type === 'drive-created')
            for (const drive of itemsOf(reply, ask)) drive.createdAt = last.drive.createdAt;
        },
      };
    },
  ),
  must(
    'new-drive-renames-the-one-before',
    '2',
    'Creating a drive gives its name to the drive that was created before it.',
    (lab) => {
      const seeds = marked(lab);
      return {
        act(_ask, next) {
          seeds();
          return next();
        },
        see(lines) {
          let after = '';
          const made = madeSince(lines, seeds())
            .reverse()
            .map((line) => {
              if (line.type !== 'drive-created') return line;
              const name = after || line.drive.name;
              after = line.drive.name;
              return { ...line, drive: { ...line.drive, name } };
            });
          return [...lines.slice(0, seeds()), ...made.reverse()];
        },
      };
    },
  ),
  must(
    'same-url-replaces-the-mcp-server',
    '4.9',
    'Registering a URL again with another name removes the server registered before from the list.',
    () => ({
      see: (lines) =>
        lines.filter(
          (line) =>
            !(
              line.type === 'mcp-known' &&
              lines.some(
                (later) =>
                  later.type === 'mcp-known' &&
                  later.n > line.n &&
                  later.org === line.org &&
                  later.server.url === line.server.url,
              )
            ),
        ),
    }),
  ),
  must(
    'same-name-keeps-the-later-mcp-server-out',
    '4.9',
    'A second MCP server of the same name is acknowledged and never listed.',
    () => ({
      see: (lines) =>
        lines.filter(
          (line) =>
            !(
              line.type === 'mcp-known' &&
              lines.some(
                (one) =>
                  one.type === 'mcp-known' &&
                  one.n < line.n &&
                  one.org === line.org &&
                  one.server.name === line.server.name,
              )
            ),
        ),
    }),
  ),
  must(
    'new-mcp-server-hides-the-tools-of-the-oldest',
    '4.10',
    'After a registration the tools of the oldest MCP server answer 404.',
    (lab) => {
      const seeds = marked(lab);
      return {
        act(ask, next) {
          const grown = madeSince(lab.journal, seeds()).some(
            (line) => line.type === 'mcp-known' && line.org === ask.org,
          );
          return ask.op === 'mcp.tools' &&
            grown &&
            lab.picture().mcps.find((row) => row.org === ask.org)?.item.id === ask.ids[0]
            ? no(404, 'MCP server not found')
            : next();
        },
      };
    },
  ),
  must(
    'every-second-list-lacks-the-last-mcp-server',
    '4.9',
    'Every second list of MCP servers lacks its last item.',
    () => {
      let turns = 0;
      return {
        tell(reply, ask) {
          if (ask.op === 'mcp.list' && reply.ok && ++turns % 2 === 0) reply.body.pop();
        },
      };
    },
  ),
  must(
    'moved-file-shows-its-old-path-at-every-second-read',
    '4.5',
    'A moved file is read with its new and its old path in turn.',
    (lab) => {
      let turns = 0;
      return {
        tell(reply, ask) {
          const file = good(reply, ask, 'files.get');
          if (file && pathsOf(lab, file.id).length > 1 && ++turns % 2 === 0) file.path = pathsOf(lab, file.id).at(-2);
        },
      };
    },
  ),
  must(
    'refused-move-is-stored',
    '4.6',
    'A move to a path with a `..` segment is refused, and afterwards the file has this path.',
    (lab) => ({
      act(ask, next) {
        const reply = next();
        if (ask.op === 'files.move' && reply.status === 400 && String(ask.body?.path).includes('..'))
          lab.write({ type: 'file-moved', fileId: ask.ids[1]!, path: ask.body.path }, ask.org);
        return reply;
      },
    }),
  ),
  must(
    'move-after-a-refused-move-is-lost',
    '4.6',
    'After a refused move, the next valid move of the same file is acknowledged and has no effect.',
    () => {
      const stuck = new Set<string>();
      return {
        tell(reply, ask) {
          if (ask.op === 'files.move' && reply.status === 400) stuck.add(ask.ids[1]!);
        },
        note: (line) => (line.type === 'file-moved' && stuck.delete(line.fileId) ? null : line),
      };
    },
  ),
  must(
    'refused-deletion-happens-with-the-next-one',
    '4.7',
    'A tree path with a `..` segment is refused, but the tree it leads to is deleted along with the next deletion.',
    (lab) => {
      let pending = '';
      return {
        tell(reply, ask) {
          if (ask.op === 'tree.delete' && reply.status === 400 && asked(ask, lab).startsWith('/'))
            pending = new URL(asked(ask, lab), 'http://x').pathname;
        },
        note(line) {
          if (line.type !== 'files-deleted' || !pending) return line;
          const tree = pending;
          pending = '';
          return {
            ...line,
            fileIds: [
              ...line.fileIds,
              ...lab
                .picture()
                .files.filter((row) => row.driveId === line.driveId && row.item.path.startsWith(`${tree}/`))
                .map((row) => row.item.id),
            ],
          };
        },
      };
    },
  ),
  must(
    'refused-limit-empties-the-next-list',
    '4.4',
    'After a refused limit, the next valid list of drives is empty.',
    () => {
      let spoilt = false;
      return {
        tell(reply, ask) {
          if (ask.op !== 'drives.list') return;
          if (reply.status === 400) {
            spoilt = true;
            return;
          }
          if (spoilt) {
            spoilt = false;
            reply.body.data = [];
          }
        },
      };
    },
  ),
  must(
    'creation-after-a-broken-body-repeats-the-name-before',
    '4.3',
    'After a body that is not JSON, the next drive gets the name of the drive created before.',
    () => {
      let last = '',
        broken = false;
      return {
        act(ask, next) {
          if (ask.op !== 'drives.create') return next();
          if (ask.badBody) {
            broken = true;
            return next();
          }
          const name = ask.body.name;
          if (broken && last) ask.body.name = last;
          broken = false;
          last = name;
          return next();
        },
      };
    },
  ),
  must(
    'refused-path-passes-at-the-second-try',
    '4.6',
    'A path with a `..` segment is refused at first and honoured when it is sent again.',
    () => {
      const seen = new Set<unknown>();
      return {
        rule(path, _ask, next) {
          if (next()) return true;
          const again = seen.has(path);
          seen.add(path);
          return again && typeof path === 'string' && path.startsWith('/');
        },
      };
    },
  ),
  must(
    'tools-double-at-every-read',
    '4.10',
    'Each read of the tools of a server makes one of them stand in the list once more.',
    () => {
      const reads = new Map<string, number>();
      return {
        tell(reply, ask) {
          const body = good(reply, ask, 'mcp.tools');
          if (!body?.tools.length) return;
          const n = reads.get(ask.ids[0]!) ?? 0;
          reads.set(ask.ids[0]!, n + 1);
          for (let i = 0; i < n; i++) body.tools.push(body.tools[0]);
        },
      };
    },
  ),
  must(
    'drive-after-an-mcp-server-is-not-listed',
    '4.4',
    'A drive that is created directly after an MCP server never stands in the list.',
    () => ({
      see: (lines) =>
        lines.filter(
          (line, n) =>
            !(
              line.type === 'drive-created' &&
              n > 0 &&
              lines[n - 1]!.type === 'mcp-known' &&
              lines[n - 1]!.org === line.org
            ),
        ),
    }),
  ),
  should(
    'publishing-back-unpublishes',
    '3',
    'Publishing A, B and A again leaves the agent with isPublished false.',
    (lab) => ({
      tell(reply, ask) {
        if (ask.op === 'agents.list')
          for (const agent of itemsOf(reply, ask)) {
            const all = publishes(lab, agent.id);
            if (all.slice(0, -1).includes(all.at(-1)!)) agent.isPublished = false;
          }
      },
    }),
  ),
  should(
    'publishing-one-agent-unpublishes-the-one-before',
    '3',
    'Publishing an agent leaves the agent published before it with isPublished false.',
    (lab) => ({
      tell(reply, ask) {
        const all = lab.journal.flatMap((line) =>
          line.type === 'revision-published' && line.org === ask.org ? [line.agentId] : [],
        );
        if (ask.op === 'agents.list')
          for (const agent of itemsOf(reply, ask))
            if (all.includes(agent.id) && agent.id !== all.at(-1)) agent.isPublished = false;
      },
    }),
  ),
  should(
    'refused-revision-publishes-the-agent',
    '4.2',
    'Publishing an unknown revision is refused, and afterwards the unpublished agent says isPublished true.',
    () => {
      const flipped = new Set<string>();
      return {
        tell(reply, ask) {
          if (ask.op === 'agents.publish' && !reply.ok && ask.org) flipped.add(ask.ids[0]!);
          if (ask.op === 'agents.list')
            for (const agent of itemsOf(reply, ask)) if (flipped.has(agent.id)) agent.isPublished = true;
        },
      };
    },
  ),
  should(
    'second-move-turns-the-modification-time-back',
    '2',
    'The second move of a file sets its modifiedAt to a time long before the one it had.',
    (lab) => ({
      tell(reply, ask) {
        const file = good(reply, ask, 'files.move', 'files.get');
        if (file && pathsOf(lab, file.id).length > 2) file.modifiedAt = '2001-01-01T00:00:00.000Z';
      },
    }),
  ),
];
