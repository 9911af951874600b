// Faults that show only from the n-th on, only on a later page or only with many items.

import type { Ask, Lab, Operation, Variant } from './engine.ts';
import { no, yes } from './engine.ts';
import type { Item } from './variant.ts';
import { good, itemsOf, makers } from './variant.ts';

const { must, should } = makers('volume');
// Counts the successful requests of an operation.
const counting = (op: Operation): ((ask: Ask) => number) => {
  const all = new Map<string, number>();
  return (ask) => {
    const n = (all.get(ask.org) ?? 0) + (ask.op === op ? 1 : 0);
    all.set(ask.org, n);
    return n;
  };
};
const own = (lab: Lab, ask: Ask): any[] =>
  lab
    .picture()
    .drives.filter((row) => row.org === ask.org)
    .map((row) => row.item);
const whole = (ask: Ask, name: string, usual: number): number => {
  const text = ask.query.get(name);
  return text !== null && /^\d+$/.test(text) ? Number(text) : usual;
};
// Another choice of drives for a page.
const page =
  (choose: (drives: any[], limit: number, offset: number, ask: Ask) => any[]): Variant =>
  (lab) => ({
    tell(reply, ask) {
      const body = good(reply, ask, 'drives.list');
      if (body) body.data = choose(own(lab, ask), whole(ask, 'limit', 20), whole(ask, 'offset', 0), ask);
    },
  });
const fails =
  (op: Operation, from: number, every = 1): Variant =>
  () => {
    const count = counting(op);
    return {
      act(ask, next) {
        if (ask.op !== op) return next();
        const n = count(ask);
        return n >= from && (n - from) % every === 0 ? no(500, 'out of order') : next();
      },
    };
  };
const turn =
  (every: number, change: (reply: any) => void): Variant =>
  () => {
    let n = 0;
    return {
      tell(reply) {
        if (reply.ok && ++n % every === 0) change(reply);
      },
    };
  };

export const volumeFaults: readonly Item[] = [
  must(
    'drives-from-the-sixteenth-on-are-not-listed',
    '4.4',
    'From its sixteenth drive on, an organization finds no new drive in its list.',
    () => ({
      see(lines) {
        const n = new Map<string, number>();
        return lines.filter((line) => {
          if (line.type !== 'drive-created') return true;
          const now = (n.get(line.org) ?? 0) + 1;
          n.set(line.org, now);
          return now < 16;
        });
      },
    }),
  ),
  must('eleventh-mcp-server-pushes-the-first-out', '4.9', 'The list of MCP servers shows the ten newest only.', () => ({
    tell(reply, ask) {
      if (ask.op === 'mcp.list' && reply.ok) reply.body = reply.body.slice(-10);
    },
  })),
  must(
    'mcp-servers-from-the-ninth-on-are-not-listed',
    '4.9',
    'The list of MCP servers shows the eight oldest only.',
    () => ({
      tell(reply, ask) {
        if (ask.op === 'mcp.list' && reply.ok) reply.body = reply.body.slice(0, 8);
      },
    }),
  ),
  must(
    'second-page-repeats-the-last-of-the-first',
    '4.4',
    'A page with an offset begins one drive too early.',
    page((drives, limit, offset) => (offset ? drives.slice(offset - 1, offset - 1 + limit) : drives.slice(0, limit))),
  ),
  must(
    'second-page-leaves-one-out',
    '4.4',
    'A page with an offset begins one drive too late.',
    page((drives, limit, offset) => (offset ? drives.slice(offset + 1, offset + 1 + limit) : drives.slice(0, limit))),
  ),
  must(
    'offset-counts-pages',
    '4.4',
    'The offset is taken as a number of pages.',
    page((drives, limit, offset) => drives.slice(offset * limit, offset * limit + limit)),
  ),
  must(
    'offset-is-ignored-with-a-large-limit',
    '4.4',
    'With a limit of 50 or more the offset is ignored.',
    page((drives, limit, offset) => (limit >= 50 ? drives.slice(0, limit) : drives.slice(offset, offset + limit))),
  ),
  must(
    'offset-is-rounded-down-to-whole-pages',
    '4.4',
    'An offset that is no multiple of the limit is rounded down to one.',
    page((drives, limit, offset) => {
      const from = offset - (offset % limit);
      return drives.slice(from, from + limit);
    }),
  ),
  must(
    'offset-from-eight-on-is-ignored',
    '4.4',
    'An offset of eight or more begins at the eighth drive again.',
    page((drives, limit, offset) => {
      const from = Math.min(offset, 7);
      return drives.slice(from, from + limit);
    }),
  ),
  must(
    'page-from-an-offset-holds-one-too-many',
    '4.4',
    'A page with an offset holds one drive more than the limit.',
    page((drives, limit, offset) => drives.slice(offset, offset + limit + (offset ? 1 : 0))),
  ),
  must(
    'limit-of-one-gives-two',
    '4.4',
    'With a limit of 1 the page holds two drives.',
    page((drives, limit, offset) => drives.slice(offset, offset + Math.max(2, limit))),
  ),
  must(
    'limits-over-ten-give-all',
    '4.4',
    'With a limit of more than ten the page holds all drives from the offset on.',
    page((drives, limit, offset) => drives.slice(offset, limit > 10 ? undefined : offset + limit)),
  ),
  must(
    'limit-of-a-hundred-gives-more',
    '4.4',
    'With a limit of 100 and more than 100 drives the page holds all of them.',
    page((drives, limit, offset) => drives.slice(offset, limit === 100 ? undefined : offset + limit)),
  ),
  must(
    'limit-over-a-hundred-gives-more-than-a-hundred',
    '4.4',
    'A limit of 200 is honoured, so that a page holds more than 100 drives.',
    (lab) => ({
      act(ask, next) {
        const limit = whole(ask, 'limit', 0);
        return ask.op === 'drives.list' && limit > 100
          ? yes(200, {
              data: own(lab, ask)
                .slice(whole(ask, 'offset', 0))
                .slice(0, limit),
              pagination: { limit, offset: whole(ask, 'offset', 0), total: own(lab, ask).length },
            })
          : next();
      },
    }),
  ),
  must(
    'pages-past-the-end-begin-anew',
    '4.4',
    'With an offset past the end the list begins anew.',
    page((drives, limit, offset) => {
      const from = offset % Math.max(1, drives.length);
      return drives.slice(from, from + limit);
    }),
  ),
  must(
    'last-page-is-filled-up-from-the-start',
    '4.4',
    'A last page that is not full is filled up with the first drives.',
    page((drives, limit, offset) =>
      offset && offset < drives.length
        ? [...drives, ...drives].slice(offset, offset + Math.min(limit, drives.length))
        : drives.slice(offset, offset + limit),
    ),
  ),
  must('empty-page-has-no-data', '4.4', 'A page past the end has null in place of an empty array.', () => ({
    tell(reply, ask) {
      const body = good(reply, ask, 'drives.list');
      if (body && body.data.length === 0) body.data = null;
    },
  })),
  must('empty-page-has-no-pagination', '4.4', 'A page past the end has no pagination object.', () => ({
    tell(reply, ask) {
      const body = good(reply, ask, 'drives.list');
      if (body && body.data.length === 0) delete body.pagination;
    },
  })),
  must('empty-page-breaks', '4.4', 'An offset past the end is answered with 500.', () => ({
    tell(reply, ask) {
      const body = good(reply, ask, 'drives.list');
      if (body && body.data.length === 0) Object.assign(reply, no(500, 'nothing there'));
    },
  })),
  must(
    'offset-is-told-as-a-string-on-later-pages',
    '2',
    'From the second page on the offset in the pagination is a string.',
    () => ({
      tell(reply, ask) {
        const body = good(reply, ask, 'drives.list');
        if (body?.pagination.offset) body.pagination.offset = String(body.pagination.offset);
      },
    }),
  ),
  must('total-is-a-string-from-ten-on', '2', 'A total of ten or more is a string.', () => ({
    tell(reply, ask) {
      const body = good(reply, ask, 'drives.list');
      if (body?.pagination.total >= 10) body.pagination.total = `${body.pagination.total}`;
    },
  })),
  must(
    'drive-ids-repeat-after-eight',
    '2',
    'The ninth new drive gets the id of the first, the tenth that of the second, and so on.',
    () => {
      let ids: string[] = [];
      return {
        note(line) {
          if (line.type !== 'drive-created') return line;
          ids.push(line.drive.id);
          return { ...line, drive: { ...line.drive, id: ids[(ids.length - 1) % 8]! } };
        },
        tell(reply, ask) {
          const drive = good(reply, ask, 'drives.create');
          if (drive) drive.id = ids[(ids.length - 1) % 8];
        },
      };
    },
  ),
  must('mcp-ids-repeat-after-five', '2', 'The sixth registered MCP server gets the id of the first one.', () => {
    let ids: string[] = [];
    return {
      note(line) {
        if (line.type !== 'mcp-known') return line;
        ids.push(line.server.id);
        return { ...line, server: { ...line.server, id: ids[(ids.length - 1) % 5]! } };
      },
      tell(reply, ask) {
        const server = good(reply, ask, 'mcp.create');
        if (server) server.id = ids[(ids.length - 1) % 5];
      },
    };
  }),
  must(
    'drives-on-later-pages-belong-to-another',
    '4.4',
    'From the third drive on, the list shows a wrong organizationId when it is read with an offset.',
    () => ({
      tell(reply, ask) {
        if (ask.op === 'drives.list' && reply.ok && reply.body.pagination.offset >= 2)
          for (const one of itemsOf(reply, ask)) one.organizationId = 'org_default';
      },
    }),
  ),
  must('drives-on-later-pages-have-numeric-ids', '2', 'On pages with an offset the ids of drives are numbers.', () => ({
    tell(reply, ask) {
      if (ask.op === 'drives.list' && reply.ok && reply.body.pagination.offset > 0)
        itemsOf(reply, ask).forEach((one, n) => {
          one.id = reply.body.pagination.offset + n;
        });
    },
  })),
  must(
    'eighth-drive-breaks',
    '4.3',
    'The eighth creation of a drive and all later ones are answered with 500.',
    fails('drives.create', 8),
  ),
  must(
    'sixth-registration-breaks',
    '4.8',
    'Every sixth registration of an MCP server is answered with 500.',
    fails('mcp.create', 6, 6),
  ),
  must(
    'fifth-publish-breaks',
    '4.2',
    'The fifth publish of an organization and all later ones are answered with 500.',
    fails('agents.publish', 5),
  ),
  must(
    'every-ninth-read-of-a-file-breaks',
    '4.5',
    'Every ninth read of a file is answered with 500.',
    fails('files.get', 9, 9),
  ),
  must('sixth-move-is-lost', '4.6', 'Every sixth move is acknowledged and lost.', () => {
    let n = 0;
    return { note: (line) => (line.type === 'file-moved' && ++n % 6 === 0 ? null : line) };
  }),
  must(
    'fourth-deletion-is-lost',
    '4.7',
    'The fourth tree deletion and all later ones are acknowledged and lost.',
    () => {
      let n = 0;
      return { note: (line) => (line.type === 'files-deleted' && ++n >= 4 ? null : line) };
    },
  ),
  must('deletion-stops-after-five-files', '4.7', 'A tree deletion deletes five files at most.', () => ({
    note: (line) => (line.type === 'files-deleted' ? { ...line, fileIds: line.fileIds.slice(0, 5) } : line),
  })),
  must('deletion-spares-deep-directories', '4.7', 'A tree deletion reaches two levels of directories only.', (lab) => ({
    note(line, ask) {
      const depth = (path: string): number => path.split('/').filter(Boolean).length,
        tree = depth(ask.query.get(lab.settings.treeParameter) ?? '');
      return line.type === 'files-deleted'
        ? {
            ...line,
            fileIds: line.fileIds.filter(
              (id) => depth(lab.picture().files.find((row) => row.item.id === id)?.item.path ?? '') <= tree + 2,
            ),
          }
        : line;
    },
  })),
  must(
    'deletion-reaches-the-first-level-only',
    '4.7',
    'A tree deletion deletes the files directly in the directory and spares those of its directories.',
    (lab) => ({
      note(line, ask) {
        const depth = (path: string): number => path.split('/').filter(Boolean).length,
          tree = depth(ask.query.get(lab.settings.treeParameter) ?? '');
        return line.type === 'files-deleted'
          ? {
              ...line,
              fileIds: line.fileIds.filter(
                (id) => depth(lab.picture().files.find((row) => row.item.id === id)?.item.path ?? '') === tree + 1,
              ),
            }
          : line;
      },
    }),
  ),
  must(
    'every-twelfth-answer-is-cut-off',
    '4',
    'Every twelfth successful answer is JSON that is cut off.',
    turn(12, (reply) => {
      const all = JSON.stringify(reply.body ?? {});
      reply.raw = all.slice(0, -1);
    }),
  ),
  must(
    'every-fifteenth-answer-is-a-page',
    '4',
    'Every fifteenth successful answer is an HTML page.',
    turn(15, (reply) => {
      reply.raw = '<html><body>Done</body></html>';
      reply.headers['content-type'] = 'text/html';
    }),
  ),
  must(
    'every-twentieth-request-is-unauthenticated',
    '5',
    'Every twentieth request with a valid key is answered with 401.',
    () => {
      let n = 0;
      return {
        who: (_ask, next) => {
          const org = next();
          return org && ++n % 20 === 0 ? null : org;
        },
      };
    },
  ),
  must(
    'fourth-and-fifth-tools-have-no-description',
    '4.10',
    'From the fourth tool on the description is missing.',
    () => ({
      tell(reply, ask) {
        good(reply, ask, 'mcp.tools')?.tools.forEach((tool: any, n: number) => {
          if (n >= 3) delete tool.description;
        });
      },
    }),
  ),
  must('last-agent-has-flags-as-text', '2', 'The flags of the fifth agent are texts.', () => ({
    tell(reply, ask) {
      if (ask.op === 'agents.list' && reply.ok)
        Object.assign(reply.body[4], { isPublished: 'false', hasChanges: 'true' });
    },
  })),
  must('agents-stop-at-four', '4.1', 'The list of agents shows four agents only.', () => ({
    tell(reply, ask) {
      if (ask.op === 'agents.list' && reply.ok) reply.body = reply.body.slice(0, 4);
    },
  })),
  must('mcp-types-from-the-sixth-on-are-http', '2', 'From the sixth MCP server on the type is http.', () => ({
    tell(reply, ask) {
      if (ask.op === 'mcp.list')
        itemsOf(reply, ask).forEach((one, n) => {
          if (n >= 5) one.type = 'http';
        });
    },
  })),
  must(
    'files-with-long-paths-have-sizes-as-text',
    '2',
    'The sizes of files whose path has more than 30 characters are texts.',
    () => ({
      tell(reply, ask) {
        const file = good(reply, ask, 'files.get', 'files.move');
        if (file?.path.length > 30) file.size = `${file.size} bytes`;
      },
    }),
  ),
  must(
    'sixth-drive-is-stored-with-the-name-before',
    '4.3',
    'From the sixth creation on, a drive is stored with the name of the creation before.',
    () => {
      const names: string[] = [];
      return {
        note(line) {
          if (line.type !== 'drive-created') return line;
          names.push(line.drive.name);
          return names.length >= 6 ? { ...line, drive: { ...line.drive, name: names[names.length - 2]! } } : line;
        },
      };
    },
  ),
  should('total-is-the-size-of-the-page', '2', 'The total is the number of drives on the page.', () => ({
    tell(reply, ask) {
      const body = good(reply, ask, 'drives.list');
      if (body) body.pagination.total = body.data.length;
    },
  })),
  should('total-stops-at-ten', '2', 'The total is never more than ten.', () => ({
    tell(reply, ask) {
      const body = good(reply, ask, 'drives.list');
      if (body) body.pagination.total = Math.min(10, body.pagination.total);
    },
  })),
  should(
    'pagination-tells-the-default-limit',
    '2',
    'The limit in the pagination is always 20, whatever limit was asked for.',
    () => ({
      tell(reply, ask) {
        const body = good(reply, ask, 'drives.list');
        if (body) body.pagination.limit = 20;
      },
    }),
  ),
  should('pagination-tells-offset-zero', '2', 'The offset in the pagination is 0 on every page.', () => ({
    tell(reply, ask) {
      const body = good(reply, ask, 'drives.list');
      if (body) body.pagination.offset = 0;
    },
  })),
  should('later-drives-lack-their-update-time', '2', 'On pages with an offset the drives have no updatedAt.', () => ({
    tell(reply, ask) {
      if (ask.op === 'drives.list' && reply.ok && reply.body.pagination.offset > 0)
        for (const one of itemsOf(reply, ask)) delete one.updatedAt;
    },
  })),
];
