import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net';
import { toListenError } from './start-error.ts';

/** Where a server listens, and whether it keeps its process alive. */
export interface ListenOptions {
  host: string;
  port: number;
  /** Default false: a process that does nothing else ends, although somebody could still send a request. */
  ref?: boolean | undefined;
}

/** A server that listens, at one address or at several. */
export interface Listening {
  /** Ends open connections and stops listening. May be called again. */
  close(): Promise<void>;
}

/** Both ways to close something, by name and at the end of a block with `await using`. */
export function closing(close: () => Promise<void>) {
  return { close, [Symbol.asyncDispose]: close };
}

/**
 * Listens. `localhost` is every address of that name, as `findAddresses` gives them: which one a client tries first is up to
 * the client. Rejects with a {@link StartError}.
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
  if (!ref) unref([server, ...others]);
  return { close: () => closeAll(server, others) };
}

// A client in this process keeps it alive by itself until it has its response.
function unref(servers: readonly NetServer[]): void {
  for (const server of servers) {
    server.unref();
    for (const event of ['connection', 'secureConnection'])
      server.prependListener(event, (socket: Socket) => socket.unref());
  }
}

async function addressesOf(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

async function started(server: NetServer, host: string, port: number): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

/** Listens at the other addresses of localhost, as far as this machine has them, and has the server take what comes there. */
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

async function closeAll(server: Server, others: readonly NetServer[]): Promise<void> {
  const closed = [server, ...others].map((one) => new Promise<unknown>((resolve) => one.close(resolve)));
  server.closeAllConnections();
  await Promise.all(closed);
}
