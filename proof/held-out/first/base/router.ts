import type { OperationName } from './http.ts';

interface Route {
  method: string;
  segments: string[];
  operation: OperationName;
}

export class Router {
  routes: Route[] = [];

  constructor() {
    this.add('GET', '/agents', 'listAgents');
    this.add('POST', '/agents/:agentId/publish', 'publishRevision');
    this.add('POST', '/drives', 'createDrive');
    this.add('GET', '/drives', 'listDrives');
    this.add('GET', '/drives/:driveId/files/:fileId', 'getFile');
    this.add('PATCH', '/drives/:driveId/files/:fileId', 'updateFile');
    this.add('DELETE', '/drives/:driveId/items/tree', 'deleteTree');
    this.add('POST', '/mcp-servers', 'createMcpServer');
    this.add('GET', '/mcp-servers', 'listMcpServers');
    this.add('GET', '/mcp-servers/:mcpServerId/tools', 'listTools');
  }

  add(method: string, pattern: string, operation: OperationName): void {
    this.routes.push({ method, segments: pattern.split('/'), operation });
  }

  match(method: string, path: string): { operation: OperationName; params: Record<string, string> } | undefined {
    const parts = path.split('/');
    for (const route of this.routes) {
      if (route.method !== method || route.segments.length !== parts.length) continue;
      const params: Record<string, string> = {};
      const fits = route.segments.every((segment, index) => {
        const part = parts[index] ?? '';
        if (!segment.startsWith(':')) return segment === part;
        params[segment.slice(1)] = decode(part);
        return part !== '';
      });
      if (fits) return { operation: route.operation, params };
    }
    return undefined;
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
