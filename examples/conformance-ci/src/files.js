import { randomUUID } from 'node:crypto';
import { inTransaction, now } from './database.js';
import { notFound } from './errors.js';
import { objectOf, path } from './schemas.js';

const own = 'drive_id = (SELECT id FROM drives WHERE id = :driveId AND organization_id = :organizationId)';

export function addFiles(app, database) {
  const get = database.prepare(`SELECT * FROM files WHERE id = :fileId AND ${own}`);
  const move = database.prepare('UPDATE files SET path = :path, modified_at = :now WHERE id = :id');

  const find = ({ organizationId, params: { driveId, fileId } }) => {
    const row = get.get({ organizationId, driveId, fileId });
    if (row === undefined) throw notFound('file');
    return row;
  };

  app.get('/drives/:driveId/files/:fileId', (request) => toFile(find(request)));

  app.patch('/drives/:driveId/files/:fileId', { schema: { body: objectOf({ path }) } }, (request) => {
    const { id } = find(request);
    move.run({ id, path: request.body.path, now: now() });
    return toFile(find(request));
  });

  addTreeDeletion(app, database);
}

// Deletes at once, so the job is over when its id is told.
function addTreeDeletion(app, database) {
  const drive = database.prepare('SELECT id FROM drives WHERE id = :driveId AND organization_id = :organizationId');
  // No LIKE: it would read % and _ in a path as wildcards.
  const remove = database.prepare(`
    DELETE FROM files WHERE drive_id = :driveId AND substr(path, 1, length(:directory)) = :directory`);
  const record = database.prepare('INSERT INTO deletions VALUES (:jobId, :driveId, :path, :documentCount, :now)');

  const schema = { querystring: objectOf({ path }) };
  app.delete('/drives/:driveId/items/tree', { schema }, ({ organizationId, params: { driveId }, query: { path } }) => {
    if (drive.get({ organizationId, driveId }) === undefined) throw notFound('drive');
    const directory = path.endsWith('/') ? path : `${path}/`;
    return inTransaction(database, () => {
      const documentCount = Number(remove.run({ driveId, directory }).changes);
      const jobId = randomUUID();
      record.run({ jobId, driveId, path, documentCount, now: now() });
      return { message: `Deleted ${path}`, jobId, documentCount };
    });
  });
}

function toFile(row) {
  return {
    kind: 'file',
    id: row.id,
    name: row.path.slice(row.path.lastIndexOf('/') + 1),
    path: row.path,
    status: row.status,
    modifiedAt: row.modified_at,
    size: row.size,
    contentType: row.content_type,
    metadata: JSON.parse(row.metadata),
  };
}
