/** Answers every request with the bytes of a file: `node bench/bare-server.ts <file> <content type>`. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [bodyFile, contentType] = process.argv.slice(2);
if (bodyFile === undefined || contentType === undefined) throw new Error('Name a file and a content type.');
// A text, not a buffer: Node sends it in one piece with the headers, which is its fastest way.
const body = readFileSync(bodyFile, 'utf8');
const headers = { 'content-type': contentType, 'content-length': Buffer.byteLength(body) };
const server = createServer((_request, response) => {
  response.writeHead(200, headers).end(body);
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
