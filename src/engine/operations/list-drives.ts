import { leftOutOfPagination } from '../../../openapi/points/lists.ts';
import type { Handler } from '../handler.ts';
import { without } from '../views.ts';

/** 4.4 */
export const listDrives: Handler<'listDrives'> = (
  { query },
  { organization: { id, drives }, profile, views, pages },
) => {
  const offset = query.offset ?? profile['pagingDefaults.offset'];
  const limit =
    query.limit ?? (profile['pagingDefaults.limit'] === 'all' ? drives.size : profile['pagingDefaults.limit']);
  const page = drives.page(offset, limit);
  const total = profile.totalMeaning === 'all' ? drives.size : page.length;
  return pages.of(`drives ${id} ${limit} ${offset} ${total}`, page, () => {
    const pagination = without({ limit, offset, total }, new Set(leftOutOfPagination[profile.paginationFields]));
    return { data: page.map(views.drive), pagination, ...views.extras('page') };
  });
};
