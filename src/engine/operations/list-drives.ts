import { leftOutOfPagination } from '../../../openapi/contract/optional-fields.ts';
import type { Handler } from '../handler.ts';
import { without } from '../views.ts';

/** 4.4 */
export const listDrives: Handler<'listDrives'> = ({ query }, { organization, profile, views }) => {
  const { drives } = organization;
  const offset = query.offset ?? profile.defaultOffset;
  const limit = query.limit ?? (profile.defaultLimit === 'all' ? drives.size : profile.defaultLimit);
  const data = drives.page(offset, limit).map(views.drive);
  const total = profile.totalMeaning === 'all' ? drives.size : data.length;
  const pagination = without({ limit, offset, total }, leftOutOfPagination[profile.paginationFields]);
  return { data, pagination, ...views.extras('page') };
};
