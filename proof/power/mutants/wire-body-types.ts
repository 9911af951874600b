import type { Mutant, WireFault } from '../mutant.ts';
import { wireTable } from './table.ts';
import { answerWith, changeRequest, passOn } from './wire-faults.ts';

const json = { 'content-type': 'application/json' };

/** Compares the whole Content-Type, with its parameters. */
const refuseCharset: () => WireFault = () => (request, response, forward) => {
  const isBare = !(request.headers['content-type'] ?? '').includes(';');
  return (isBare ? passOn : answerWith(415, json, '{"message":"Send application/json"}'))(request, response, forward);
};

/** Makes text of whatever is in a field. */
const textOfAnything = () =>
  changeRequest(() => ({
    body: (sent) => {
      if (!sent.startsWith('{') || !sent.trimEnd().endsWith('}')) return sent;
      const fields = Object.entries(JSON.parse(sent) as Record<string, unknown>);
      return JSON.stringify(Object.fromEntries(fields.map(([name, value]) => [name, String(value)])));
    },
  }));

/** Reads a body that breaks off as far as it goes. */
const mendBodies = () =>
  changeRequest(() => ({
    body: (sent) => (sent.startsWith('{"') && !sent.trimEnd().endsWith('}') ? `${sent}}` : sent),
  }));

/** Bodies that are refused for their media type, or read though they are not what is stated. */
export const wireBodyTypes: readonly Mutant[] = wireTable('transport', {
  'bodies.charset-is-no-other-media-type > createDrive.charset-accepted: drive-refused-for-its-charset': [
    'A new drive that is declared as application/json; charset=utf-8 is answered with 415.',
    refuseCharset,
  ],
  'bodies.charset-is-no-other-media-type > createMcpServer.charset-accepted: mcp-server-refused-for-its-charset': [
    'A new MCP server that is declared as application/json; charset=utf-8 is answered with 415.',
    refuseCharset,
  ],
  'bodies.charset-is-no-other-media-type > updateDriveFile.charset-accepted: move-refused-for-its-charset': [
    'A move that is declared as application/json; charset=utf-8 is answered with 415.',
    refuseCharset,
  ],
  'bodies.fields-have-their-types > createDrive.wrong-types-refused: drive-body-that-breaks-off-is-read': [
    'The body of a new drive is read as far as it goes, though its last brace is missing.',
    mendBodies,
  ],
  'bodies.fields-have-their-types > createMcpServer.wrong-types-refused: mcp-server-body-that-breaks-off-is-read': [
    'The body of a new MCP server is read as far as it goes, though its last brace is missing.',
    mendBodies,
  ],
  'bodies.fields-have-their-types > updateDriveFile.wrong-types-refused: path-in-an-array-is-read': [
    'Text is made of whatever is in the field path, also of an array.',
    textOfAnything,
  ],
});
