import type { Check } from '../check.ts';

/** The tools of a real MCP server that the suite starts itself (4.10). */
export const hostedToolChecks: readonly Check[] = [];
