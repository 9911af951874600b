/** The defaults of a proxy. */
export const proxyDefaults = { judgeLimitBytes: 1_048_576, timeoutMs: 30_000, journalLimit: 1_000 };
