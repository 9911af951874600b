import type { Operation } from '../../../openapi/contract/operations.ts';
import { CopyButton } from '../shared/copy.tsx';
import { CopyCurl } from '../shared/copy-curl.tsx';
import { basePath } from './contract.ts';
import type { FormValues, TryRequest } from './request.ts';
import { fetchSnippet, toCopied, typedSnippet } from './snippets.ts';

interface CopyProps {
  operation: Operation;
  request: () => TryRequest;
  values: () => FormValues;
}

/** Copies the request of a form, with its key, for a shell or a program. */
export function CopyRow({ operation, request, values }: CopyProps) {
  const { origin } = location;
  return (
    <>
      <CopyCurl request={() => toCopied(request(), origin)} />
      <CopyButton what="fetch" text={() => fetchSnippet(request(), origin)} />
      <CopyButton
        what="typed client"
        text={() => typedSnippet(operation, request(), values(), origin + basePath.value)}
      />
    </>
  );
}
