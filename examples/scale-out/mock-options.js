/** @type {import('agent-platform-contract').MockOptions} What every shard is started with. */
export const mockOptions = { openKeys: true, maxSandboxes: 10_000 };
