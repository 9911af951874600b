/** Answers every request with the JSON of a file: `node bench/bare-server.ts <port> <file>`. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [port, bodyFile] = process.argv.slice(2);
if (bodyFile === undefined) throw new Error('Name a port and a file.');
// A text, not a buffer: Node sends it in one piece with the headers, which is its fastest way.
const body = readFileSync(bodyFile, 'utf8');
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
const server = createServer((_request, response) => {
  response.writeHead(200, headers).end(body);
});
server.listen(Number(port), '127.0.0.1');
