import type { Application } from './application.ts';
import { type Context, type Handler, type OperationName, type Reply, reply } from './http.ts';
import { requiredText } from './rules.ts';

/** The handlers of section 4: read the request, call a service, serialize. */
export function standardOperations(app: Application): Record<OperationName, Handler> {
  const success = (context: Context, body: unknown): Reply =>
    reply(app.settings.successStatus[context.operation], body);
  const param = (context: Context, name: string): string => context.params[name] ?? '';
  return {
    listAgents: (context) =>
      success(
        context,
        app.agentService.list(context.organizationId).map((row) => app.serializers.agent(row)),
      ),

    publishRevision: (context) => {
      const revisionId = requiredText(context.input, 'revisionId');
      app.agentService.publish(context.organizationId, param(context, 'agentId'), revisionId);
      return success(context, { agentId: param(context, 'agentId'), activeRevisionId: revisionId });
    },

    createDrive: (context) =>
      success(
        context,
        app.serializers.drive(app.driveService.create(context.organizationId, requiredText(context.input, 'name'))),
      ),

    listDrives: (context) => {
      const page = app.pageRule.read(context.query);
      const { rows, total } = app.driveService.list(context.organizationId, page);
      return success(context, {
        data: rows.map((row) => app.serializers.drive(row)),
        pagination: app.serializers.pagination(page, total),
      });
    },

    getFile: (context) =>
      success(
        context,
        app.serializers.file(
          app.fileService.get(context.organizationId, param(context, 'driveId'), param(context, 'fileId')),
        ),
      ),

    updateFile: (context) => {
      const path = app.pathRule.check(context.input['path']);
      return success(
        context,
        app.serializers.file(
          app.fileService.move(context.organizationId, param(context, 'driveId'), param(context, 'fileId'), path),
        ),
      );
    },

    deleteTree: (context) => {
      const path = app.treePathRule.check(context.query.get(app.settings.treePathParameter));
      return success(
        context,
        app.serializers.deletion(app.fileService.deleteTree(context.organizationId, param(context, 'driveId'), path)),
      );
    },

    createMcpServer: (context) =>
      success(
        context,
        app.serializers.mcpServer(
          app.mcpServerService.register(
            context.organizationId,
            requiredText(context.input, 'name'),
            requiredText(context.input, 'url'),
          ),
        ),
      ),

    listMcpServers: (context) =>
      success(
        context,
        app.mcpServerService.list(context.organizationId).map((row) => app.serializers.mcpServer(row)),
      ),

    listTools: (context) => {
      const tools = app.mcpServerService.tools(context.organizationId, param(context, 'mcpServerId'));
      return success(context, { tools: tools.map((row) => app.serializers.tool(row)) });
    },
  };
}
