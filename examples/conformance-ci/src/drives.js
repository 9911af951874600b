import { randomUUID } from 'node:crypto';
import { now } from './database.js';
import { objectOf, text } from './schemas.js';

const page = {
  type: 'object',
  properties: {
    limit: { type: 'string', pattern: '^(100|[1-9][0-9]?)$', default: '20' },
    offset: { type: 'string', pattern: '^[0-9]{1,9}$', default: '0' },
  },
};

export function addDrives(app, database) {
  const insert = database.prepare(`
    INSERT INTO drives (id, organization_id, name, created_at, updated_at)
    VALUES (:id, :organizationId, :name, :now, :now) RETURNING *`);
  const list = database.prepare(`
    SELECT * FROM drives WHERE organization_id = :organizationId
    ORDER BY created_at, rowid LIMIT :limit OFFSET :offset`);
  const count = database.prepare('SELECT count(*) AS total FROM drives WHERE organization_id = ?');

  app.post('/drives', { schema: { body: objectOf({ name: text }) } }, ({ organizationId, body: { name } }, reply) => {
    reply.code(201);
    return toDrive(insert.get({ id: randomUUID(), organizationId, name, now: now() }));
  });

  app.get('/drives', { schema: { querystring: page } }, ({ organizationId, query }) => {
    const [limit, offset] = [Number(query.limit), Number(query.offset)];
    const data = list.all({ organizationId, limit, offset }).map(toDrive);
    return { data, pagination: { limit, offset, total: count.get(organizationId).total } };
  });
}

function toDrive(row) {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
