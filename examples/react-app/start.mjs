/**
 * Starts the mock and the page in front of it: `npm start` with the sources, `--built` with what `vite build` makes of
 * them, on any free ports. AGENT_PLATFORM_BASE_URL names another server than the mock.
 */
import { createMock } from 'agent-platform-contract';
import { build, createServer, preview } from 'vite';

const isBuilt = process.argv.includes('--built');
process.env.AGENT_PLATFORM_BASE_URL ??= (await startMock()).url;
const page = isBuilt ? await servedBuild() : await servedSources();
console.log(`App ${page.resolvedUrls?.local[0]} with the service ${process.env.AGENT_PLATFORM_BASE_URL}`);

async function startMock() {
  try {
    return await createMock({ port: isBuilt ? 0 : 4010, openKeys: isBuilt });
  } catch ({ message }) {
    console.error(
      `${message}\nTo use the mock that runs there: AGENT_PLATFORM_BASE_URL=http://127.0.0.1:4010/v0.1 npm start`,
    );
    process.exit(1);
  }
}

async function servedBuild() {
  await build({ logLevel: 'warn' });
  return preview({ preview: { host: '127.0.0.1', port: 0 } });
}

async function servedSources() {
  return (await createServer()).listen();
}
