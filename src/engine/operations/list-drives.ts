import type { Handler } from '../handler.ts';

/** 4.4 */
export const listDrives: Handler<'listDrives'> = ({ query }, { organization, profile, views }) => {
  const { drives } = organization;
  const offset = query.offset ?? profile.defaultOffset;
  const limit = query.limit ?? (profile.defaultLimit === 'all' ? drives.size : profile.defaultLimit);
  const data = drives.page(offset, limit).map(views.drive);
  const total = profile.totalMeaning === 'all' ? drives.size : data.length;
  return { data, pagination: { limit, offset, total }, ...views.extras('page') };
};
