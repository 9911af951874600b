import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ContractDocument } from '../../../openapi/contract/document.ts';
import { type Operation, operationsOf } from '../../../openapi/contract/operations.ts';
import { isReachable } from '../shared/control.ts';

/** The contract in use; undefined until it is loaded. It stays while the mock does not respond. */
export const applied = signal<ContractDocument | undefined>(undefined);

export const contractError = signal('');

export const operations = computed<readonly Operation[]>(() => (applied.value ? operationsOf(applied.value) : []));

/** The base path of all operations, such as `/v0.1`. */
export const basePath = computed(() => {
  const url = applied.value?.servers?.[0]?.url;
  return url === undefined ? '' : new URL(url, location.origin).pathname.replace(/\/$/, '');
});

/** Operations by their tag, in the order of the contract. */
export const operationsByTag = computed(() =>
  Map.groupBy(operations.value, ({ definition }) => definition.tags?.[0] ?? ''),
);

/** Loads the contract for a view that shows its operations, unless it is there. */
export function useContract(isNeeded = true): void {
  useEffect(() => {
    if (isNeeded && applied.value === undefined) void loadContract('');
  }, []);
}

let asked = 0;

/** Loads the contract that applies to a key: an organization may have its own choices. */
export async function loadContract(key: string): Promise<void> {
  const mine = ++asked;
  try {
    const request = fetch('/openapi.json', { headers: key === '' ? {} : { 'x-api-key': key } });
    const response = await request.catch((error) => {
      isReachable.value = false;
      throw error;
    });
    const document = (await response.json()) as ContractDocument;
    if (mine !== asked) return;
    applied.value = document;
    contractError.value = '';
  } catch {
    if (mine === asked) contractError.value = 'The contract could not be loaded from /openapi.json.';
  }
}
