import fastify from 'fastify';
import { addAgents } from './agents.js';
import { authenticate } from './authentication.js';
import { addDrives } from './drives.js';
import { addFiles } from './files.js';
import { addMcpServers } from './mcp-servers.js';

/** The service over a database: one file for each resource, all below the version segment. */
export function createApp(database) {
  // A number is not a text, and a text not a number.
  const app = fastify({ ajv: { customOptions: { coerceTypes: false } } });
  // Bodies are JSON.
  app.removeContentTypeParser('text/plain');
  authenticate(app, database);
  const addAll = async (api) => {
    for (const add of [addAgents, addDrives, addFiles, addMcpServers]) add(api, database);
  };
  app.register(addAll, { prefix: '/v0.1' });
  return app;
}
