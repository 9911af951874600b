import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { createMock, type MockOptions } from '../../src/index.ts';
import { createProxy, type ProxyOptions, type ValidatingProxy } from '../../src/proxy/create-proxy.ts';
import type { ExchangeViolation } from '../../src/proxy/exchange.ts';
import { type Received, recording, startSockets, startUpstream, type TestUpstream } from './upstream.ts';

/** Starts a mock and a proxy in front of it. Unexpected errors in the proxy are thrown at the end. */
export async function startProxied(mockOptions: MockOptions, options: Partial<ProxyOptions> = {}) {
  const mock = await createMock(mockOptions);
  const { proxy, close } = await startProxy({ upstream: mock.url, ...options });
  return { mock, proxy, close: () => close().finally(() => mock.close()) };
}

/** Starts a proxy. Unexpected errors in it are thrown at the end. */
export async function startProxy(options: ProxyOptions): Promise<{ proxy: ValidatingProxy; close(): Promise<void> }> {
  const unexpected: unknown[] = [];
  const proxy = await createProxy({ onUnexpected: (error) => unexpected.push(error), ...options });
  const close = async () => {
    await proxy.close();
    if (unexpected.length > 0) throw new AggregateError(unexpected, 'the proxy met what should not happen');
  };
  return { proxy, close };
}

/** A proxy for one test. Start what is behind it first, so that it closes after the proxy. */
export async function useProxy(options: ProxyOptions): Promise<ValidatingProxy> {
  const { proxy, close } = await startProxy(options);
  onTestFinished(close);
  return proxy;
}

/** An upstream for one test. */
export async function useUpstream(listener: RequestListener): Promise<TestUpstream> {
  const upstream = await startUpstream(listener);
  onTestFinished(upstream.close);
  return upstream;
}

/** The base URL of a server for one test that does with each connection what it likes. */
export async function useSockets(onConnection: (socket: Socket) => void): Promise<string> {
  const { url, close } = await startSockets(onConnection);
  onTestFinished(close);
  return url;
}

/** A proxy for one test, in front of an upstream that records each request and responds. */
export async function useStage(
  answer: Parameters<typeof recording>[1],
  options: (upstream: TestUpstream) => Partial<ProxyOptions> = () => ({}),
) {
  const received: Received[] = [];
  const upstream = await useUpstream(recording(received, answer));
  return { proxy: await useProxy({ upstream: upstream.url, ...options(upstream) }), upstream, received };
}

/** The violations in the header `sl-violations`. */
export function violationsIn(header: string | null | undefined): ExchangeViolation[] {
  return header === null || header === undefined ? [] : (JSON.parse(header) as ExchangeViolation[]);
}
