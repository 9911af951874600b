import type { ContractDocument } from '../../openapi/contract/document.ts';
import { onlyUsed } from '../../openapi/contract/played-document.ts';
import { yaml } from '../../openapi/contract/yaml.ts';

/** The paths at which documents are served, and how they are written. */
export const documents: ReadonlyMap<string, { contentType: string; write(document: ContractDocument): string }> =
  new Map([
    [
      '/openapi.json',
      { contentType: 'application/json', write: (document) => `${JSON.stringify(document, null, 2)}\n` },
    ],
    [
      '/openapi.yaml',
      {
        contentType: 'application/yaml',
        write: (document) => yaml().stringify(document, { lineWidth: 120, blockQuote: 'literal' }),
      },
    ],
  ]);

/** The path of the page with a question for each open point, to which the played contract links. */
export const questionsPath = '/questions.html';

/** A document with the address at which it is played. */
export function servedAt(document: ContractDocument, baseUrl: string): ContractDocument {
  return { ...onlyUsed(document), servers: [{ url: baseUrl, description: 'This server.' }] };
}
