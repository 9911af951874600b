/** What a mock does where nothing is said. In a file of its own, so that help need not load the mock. */

/** Of every random stream. Fixed, so that the demo's ids are the same at each start. */
export const defaultRandomSeed = 1;
export const defaultMaxWorlds = 1_000;
export const defaultJournalLimit = 1_000;
/** How long an MCP server may take to say its tools, and how long these are taken for its tools. */
export const defaultLiveMcp = { timeoutMs: 5_000, cacheMs: 30_000 };
