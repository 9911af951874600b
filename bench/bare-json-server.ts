/**
 * The limit for a server that parses and answers JSON: `node bench/bare-json-server.ts <port> <file>`. The file lists
 * recorded answers; every other request is answered with the first of them.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { answerKey, type RecordedAnswer } from './mixed.ts';

const [port, file] = process.argv.slice(2);
if (file === undefined) throw new Error('Name a port and a file of recorded responses.');
const recorded = JSON.parse(readFileSync(file, 'utf8')) as RecordedAnswer[];
const answers = new Map(recorded.map(({ key, status, body }) => [key, { status, value: parsed(body) }]));
const [first] = answers.values();

function parsed(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}

const server = createServer((request, response) => {
  let sent = '';
  request.setEncoding('utf8').on('data', (part: string) => {
    sent += part;
  });
  request.on('end', () => {
    parsed(sent);
    const key = answerKey(request.method, request.url, request.headers['x-api-key'], sent);
    const { status, value } = answers.get(key) ?? first ?? { status: 200, value: {} };
    const body = value === undefined ? '' : JSON.stringify(value);
    response
      .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  });
});
server.listen(Number(port), '127.0.0.1');
