import type { ProxyOptions, ValidatingProxy } from './proxy/create-proxy.ts';

/** Starts a proxy; loads its code on first call. Rejects with a {@link StartError} that shows the error and the fix. */
export async function createProxy(options: ProxyOptions): Promise<ValidatingProxy> {
  return (await import('./proxy/create-proxy.ts')).createProxy(options);
}
