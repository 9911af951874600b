/** The job: starts the service with a new database, lets the doctor look at it, and judges it. */
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

rmSync('data/ci.db', { force: true });
const service = fork('src/main.js', {
  env: { ...process.env, DATABASE_FILE: 'data/ci.db', PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
});
const [line] = await once(createInterface(service.stdout), 'line');
const [baseUrl] = /http\S+/.exec(line);

const succeeds = (script) => {
  const env = { ...process.env, AGENT_PLATFORM_BASE_URL: baseUrl };
  return spawnSync(`npm run ${script}`, { env, shell: true, stdio: 'inherit' }).status === 0;
};
const isGreen = succeeds('doctor') && succeeds('judge');
service.kill();
process.exitCode = isGreen ? 0 : 1;
