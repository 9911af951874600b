import type { AgentRow, DriveRow, FileRow, McpServerRow, ToolRow } from './database.ts';
import type { Page } from './rules.ts';
import type { DeletionJob } from './services.ts';
import type { Settings } from './settings.ts';

export type Item = Record<string, unknown>;

/** Rows to the objects of section 2. */
export class Serializers {
  settings: Settings;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  agent(row: AgentRow): Item {
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      isPublished: row.activeRevisionId !== null,
      hasChanges: row.hasChanges,
      createdAt: this.settings.timestamp(row.createdAt),
      updatedAt: this.settings.timestamp(row.updatedAt),
    };
  }

  drive(row: DriveRow): Item {
    return {
      id: row.id,
      organizationId: row.organizationId,
      name: row.name,
      createdAt: this.settings.timestamp(row.createdAt),
      updatedAt: this.settings.timestamp(row.updatedAt),
    };
  }

  pagination(page: Page, total: number): Item {
    return { limit: page.limit, offset: page.offset, total };
  }

  file(row: FileRow): Item {
    return {
      kind: 'file',
      id: row.id,
      name: row.name,
      path: row.path,
      status: row.status,
      modifiedAt: this.settings.timestamp(row.modifiedAt),
      size: row.size,
      contentType: row.contentType,
      description: row.description,
      summary: row.summary,
      metadata: row.metadata,
    };
  }

  deletion(job: DeletionJob): Item {
    return { message: `Deleted ${job.documentCount} documents`, jobId: job.jobId, documentCount: job.documentCount };
  }

  mcpServer(row: McpServerRow): Item {
    return {
      id: row.id,
      organizationId: row.organizationId,
      name: row.name,
      url: row.url,
      type: row.type,
      createdAt: this.settings.timestamp(row.createdAt),
      updatedAt: this.settings.timestamp(row.updatedAt),
    };
  }

  tool(row: ToolRow): Item {
    return { name: row.name, description: row.description };
  }
}
