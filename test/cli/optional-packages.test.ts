import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { missingMcpSdk } from '../../openapi/contract/mcp-sdk.ts';

const { peerDependencies, peerDependenciesMeta } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

describe('the MCP library', () => {
  it('is an optional peer dependency', () => {
    expect(peerDependencies['@modelcontextprotocol/sdk']).toMatch(/^\^1\./);
    expect(peerDependenciesMeta['@modelcontextprotocol/sdk']).toEqual({ optional: true });
  });

  it('is found where it is installed', () => {
    expect(missingMcpSdk('--live-mcp')).toBeUndefined();
  });

  it('is named, with the line that installs it, where it is not', () => {
    const resolve = () => {
      throw new Error('Cannot find module');
    };
    expect(missingMcpSdk('--live-mcp', resolve)).toBe(
      '--live-mcp needs the package @modelcontextprotocol/sdk. Install it: npm install --save-dev @modelcontextprotocol/sdk',
    );
  });
});
