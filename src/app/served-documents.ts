import type { ContractDocument } from '../../openapi/contract/document.ts';
import { asDocument, documentWriters, onlyUsed } from '../../openapi/contract/profile-document.ts';
import type { Answer, RequestHeaders } from '../engine/call.ts';
import type { Engine } from '../engine/engine.ts';

/** The paths at which documents are served, and how they are formatted. */
export const documents: ReadonlyMap<string, { contentType: string; write(document: ContractDocument): string }> =
  new Map([
    ['/openapi.json', { contentType: 'application/json', write: documentWriters.json }],
    ['/openapi.yaml', { contentType: 'application/yaml', write: documentWriters.yaml }],
  ]);

/** The path of the developer page and, for clients that do not ask for HTML, of the index. */
export const pagePath = '/';

/** Where people look for a page about an API. They lead to the developer page. */
export const pageAliases: ReadonlySet<string> = new Set(['/docs', '/swagger']);

export function servedAt(document: ContractDocument, baseUrl: string): ContractDocument {
  return { ...onlyUsed(document), servers: [{ url: baseUrl, description: 'This server.' }] };
}

/**
 * The contract under the caller's profile, if `path` is a document's path. `pointsAt`: what precedes the id in its
 * links to open points.
 */
export function answerDocument(
  engine: Engine,
  headers: RequestHeaders,
  { path, baseUrl, pointsAt }: { path: string; baseUrl: string; pointsAt?: string },
): Answer | undefined {
  const served = documents.get(path);
  if (served === undefined) return undefined;
  const { contract, profile } = engine.appliedFor(headers);
  const document = servedAt(asDocument(contract, profile, pointsAt), baseUrl);
  return { status: 200, headers: { 'content-type': served.contentType }, body: served.write(document) };
}
