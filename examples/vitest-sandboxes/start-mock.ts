import { createMock } from 'agent-platform-contract';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    baseUrl: string;
  }
}

/** Before all workers: starts the one mock that they share, or takes the one that runs already. */
export default async function startMock(project: TestProject) {
  const running = process.env.AGENT_PLATFORM_BASE_URL;
  if (running !== undefined) return project.provide('baseUrl', running);
  const mock = await createMock({ openKeys: true });
  project.provide('baseUrl', mock.url);
  return () => mock.close();
}
