import { now } from './database.js';
import { notFound } from './errors.js';
import { objectOf, text } from './schemas.js';

export function addAgents(app, database) {
  const list = database.prepare(`
    SELECT agents.*, published_revision_id IS NOT NULL AS is_published, EXISTS (
      SELECT 1 FROM revisions newer
      LEFT JOIN revisions active ON active.id = published_revision_id
      WHERE newer.agent_id = agents.id AND newer.number > coalesce(active.number, 0)
    ) AS has_changes
    FROM agents WHERE organization_id = ? ORDER BY created_at, rowid`);
  const publish = database.prepare(`
    UPDATE agents SET published_revision_id = :revisionId, updated_at = :now
    WHERE id = :agentId AND organization_id = :organizationId
      AND EXISTS (SELECT 1 FROM revisions WHERE id = :revisionId AND agent_id = :agentId)`);

  app.get('/agents', ({ organizationId }) => list.all(organizationId).map(toAgent));

  const schema = { body: objectOf({ revisionId: text }) };
  app.post('/agents/:agentId/publish', { schema }, ({ organizationId, params: { agentId }, body: { revisionId } }) => {
    const { changes } = publish.run({ organizationId, agentId, revisionId, now: now() });
    if (changes === 0) throw notFound('agent or revision');
    return { agentId, revisionId };
  });
}

function toAgent(row) {
  return {
    id: row.id,
    name: row.name,
    description: row.description ?? undefined,
    isPublished: row.is_published === 1,
    hasChanges: row.has_changes,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
