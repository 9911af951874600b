/** Forwards every request and judges nothing: `node bench/bare-proxy.ts <port of the target>`. */
import { Agent, createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

const [port] = process.argv.slice(2);
if (port === undefined) throw new Error('Name the port of the target.');
const agent = new Agent({ keepAlive: true });

const server = createServer((request, response) => {
  const { method, url, headers } = request;
  const forwarded = send({ host: '127.0.0.1', port, method, path: url, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  forwarded.on('error', () => response.destroy());
  request.pipe(forwarded);
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
