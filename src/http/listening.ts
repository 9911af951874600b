import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net';
import { toListenError } from './start-error.ts';

/** Where a server listens, and whether it keeps its process alive. */
export interface ListenOptions {
  host: string;
  port: number;
  /** Default false: a process that does nothing else ends even though requests could still come. */
  ref?: boolean | undefined;
}

/** A server that listens at one or more addresses. */
export interface Listening {
  /** Closes open connections and stops listening. May be called again. */
  close(): Promise<void>;
}

/** Both ways to close something: by calling it, and by `await using`. */
export function closing(close: () => Promise<void>) {
  return { close, [Symbol.asyncDispose]: close };
}

/**
 * Listens. `localhost` means all addresses of that name (`findAddresses`): a client may try any of them first. Rejects
 * with a {@link StartError}.
 */
export async function listen(
  server: Server,
  { host, port, ref = false }: ListenOptions,
  findAddresses: (host: string) => Promise<string[]> = addressesOf,
): Promise<Listening> {
  try {
    await started(server, host, port);
  } catch (error) {
    throw toListenError(error, host, port);
  }
  const others = host === 'localhost' ? await listenBeside(server, await findAddresses(host).catch(() => [])) : [];
  const all = [server, ...others];
  for (const one of ref ? [] : all) {
    one.unref();
    // A client in this process keeps it alive until it has its response.
    for (const event of ['connection', 'secureConnection'])
      one.prependListener(event, (socket: Socket) => socket.unref());
  }
  const close = async () => {
    const closed = all.map((one) => new Promise<unknown>((resolve) => one.close(resolve)));
    server.closeAllConnections();
    await Promise.all(closed);
  };
  return { close };
}

async function addressesOf(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

async function started(server: NetServer, host: string, port: number): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

/** Listens at the other addresses of localhost that this machine has, and passes their connections to the server. */
async function listenBeside(server: Server, addresses: readonly string[]): Promise<NetServer[]> {
  const { address: first, port } = server.address() as AddressInfo;
  const take = (socket: Socket) => void server.emit('connection', socket);
  const others = new Set(addresses.filter((address) => address !== first));
  const tried = [...others].map(async (address) => {
    const other = createNetServer(take);
    await started(other, address, port);
    return other;
  });
  const settled = await Promise.allSettled(tried);
  return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}
