import type { ProxyOptions, ValidatingProxy } from './proxy/create-proxy.ts';

/**
 * Starts a proxy. Rejects with a {@link StartError} that shows the error and the fix. Loads its code on the first call.
 */
export async function createProxy(options: ProxyOptions): Promise<ValidatingProxy> {
  return (await import('./proxy/create-proxy.ts')).createProxy(options);
}
