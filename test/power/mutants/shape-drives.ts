import { type AnswerFault, type Fields, inBody, inItems, inLast, inText, without } from './rewrite.ts';

// Every third one, from the first on.
function everyThird(change: (body: Fields) => Fields): (body: Fields) => Fields {
  let answered = 0;
  return (body) => (answered++ % 3 === 0 ? change(body) : body);
}

const withPagination = (change: (pagination: Fields) => Fields) => (page: Fields) => ({
  ...page,
  pagination: change(page.pagination as Fields),
});

/** Drives and their pages that look wrong. */
export const driveFaults: readonly AnswerFault[] = [
  {
    id: 'created-drive-in-an-array',
    requirement: 'createDrive.answer-is-drive',
    check: 'createDrive.answer-is-object',
    fault: 'The answer to the creation of a drive is an array with the drive.',
    break: inText('createDrive', (text) => `[${text}]`),
  },
  {
    id: 'drive-created-on-a-date',
    requirement: 'timestamps.are-date-times',
    check: 'listDrives.timestamps-are-date-times',
    fault: 'createdAt of the last drive of a page is a date without a time.',
    break: inLast('listDrives', (drive) => ({ ...drive, createdAt: String(drive.createdAt).slice(0, 10) })),
  },
  {
    id: 'drive-never-updated',
    requirement: 'drive.fields-are-present',
    check: 'listDrives.fields-present',
    fault: 'updatedAt is left out where a drive was not updated since its creation.',
    break: inItems('listDrives', (drive) =>
      drive.updatedAt === drive.createdAt ? without(drive, 'updatedAt') : drive,
    ),
  },
  {
    id: 'page-without-pagination',
    requirement: 'listDrives.answer-is-page',
    check: 'listDrives.answer-is-page',
    fault: 'A page behind which nothing is left has no pagination.',
    break: inBody('listDrives', (page) => {
      const { offset, total } = page.pagination as Fields;
      const isLast = Number(offset) + (page.data as Fields[]).length >= Number(total);
      return isLast ? without(page, 'pagination') : page;
    }),
  },
  {
    id: 'total-as-text-now-and-then',
    class: 'pagination',
    requirement: 'pagination.integers',
    check: 'listDrives.pagination-field-types',
    fault: 'On every third page that is asked for, total is a string.',
    // The count begins anew with each mutant that is started.
    break: (engine) =>
      inBody(
        'listDrives',
        everyThird(withPagination((pagination) => ({ ...pagination, total: String(pagination.total) }))),
      )(engine),
  },
  {
    id: 'offset-left-out-when-zero',
    class: 'pagination',
    requirement: 'pagination.fields-are-present',
    check: 'listDrives.pagination-fields-present',
    fault: 'The pagination object has no offset where it is 0.',
    break: inBody(
      'listDrives',
      withPagination((pagination) => (pagination.offset === 0 ? without(pagination, 'offset') : pagination)),
    ),
  },
  {
    id: 'limit-one-too-high',
    class: 'pagination',
    requirement: 'pagination.repeats-the-request',
    check: 'listDrives.pagination-repeats-limit',
    fault: 'The pagination object shows the limit plus one, with which the service looks for a next page.',
    break: inBody(
      'listDrives',
      withPagination((pagination) => ({ ...pagination, limit: Number(pagination.limit) + 1 })),
    ),
  },
];
