import type { OpenPointId } from '../../openapi/contract/profile.ts';

/** The open points that cannot be seen from outside, and why. */
export const notSeen: Partial<Record<OpenPointId, string>> = {
  foreignResources: 'The config must say whether the target shares; checks judge the target by that.',
  sizeUnit: 'No operation uploads or downloads a file, so its true size is unknown.',
  unreachableTools: 'Only a target that contacts MCP servers shows it, and a failure may have other reasons.',
  toolWithoutDescription:
    'Only a target that contacts MCP servers shows it, and all tools of the hosted MCP server have a description.',
};
