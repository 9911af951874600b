import { createRequire } from 'node:module';

// An optional peer dependency: it installs sixty packages, and only two options need it.
const sdk = '@modelcontextprotocol/sdk';

/** Why `feature` cannot be used, and the fix, if the MCP library is not installed. Undefined if it is installed. */
export function missingMcpSdk(
  feature: string,
  resolve: (specifier: string) => unknown = createRequire(import.meta.url).resolve,
): string | undefined {
  try {
    resolve(`${sdk}/types.js`);
    return undefined;
  } catch {
    return `${feature} needs the package ${sdk}. Install it: npm install --save-dev ${sdk}`;
  }
}
