import { STATUS_CODES } from 'node:http';
import type { Mutant, WireAnswer, WireFault } from '../mutant.ts';
import { wireTable } from './table.ts';
import { changeAnswer, isRefusal, withBody, withHeader } from './wire-faults.ts';

const html = 'text/html; charset=utf-8';

/** Gives refusals another body. It is declared as the one before, unless a media type is given. */
function refuseWith(toBody: (answer: WireAnswer) => string, mediaType?: string, isMeant = isRefusal): WireFault {
  return changeAnswer(isMeant, (answer) => {
    const declared = mediaType === undefined ? answer : withHeader(answer, 'content-type', mediaType);
    return withBody(declared, toBody(answer));
  });
}

const isStatus = (status: number) => (candidate: number) => candidate === status;

/** Refusals whose bodies are made or spoilt by something in front. */
export const wireRefusals: readonly Mutant[] = wireTable('transport', {
  'listAgents.refusal-is-json: agents-refused-by-a-login-page': [
    'Who asks for agents without a valid key gets a login page, with 401.',
    () => refuseWith(() => '<form><input name="user"></form>', html, isStatus(401)),
  ],
  'publishAgentRevision.refusal-is-json: publication-refused-in-xml': [
    'Refusals of a publication are turned into XML.',
    () => refuseWith(({ status }) => `<error><status>${status}</status></error>`, 'application/xml'),
  ],
  'createDrive.refusal-is-json: drive-refused-by-a-proxy': [
    'A proxy puts an error page of its own in the place of each refusal to create a drive.',
    () => refuseWith(({ status }) => `<html><h1>${status}</h1><hr>proxy</html>`, html),
  ],
  'listDrives.refusal-is-json: drives-refused-in-bare-text': [
    'A gateway puts bare text that is declared as JSON in the place of refusals of the list of drives.',
    () => refuseWith(() => 'request refused'),
  ],
  'getDriveFile.refusal-is-json: missing-file-in-bare-words': [
    'That a file is not there is said in two bare words; other refusals are JSON.',
    () => refuseWith(() => 'Not found', 'text/plain', isStatus(404)),
  ],
  'updateDriveFile.refusal-is-json: move-refused-in-half-a-body': [
    'Of the body that refuses a move the last character is cut off.',
    () => refuseWith(({ body }) => body.slice(0, -1)),
  ],
  'listMcpServers.refusal-is-json: servers-refused-behind-a-guard': [
    'Refusals of the list of MCP servers begin with characters that keep scripts from running them.',
    () => refuseWith(({ body }) => `)]}',\n${body}`),
  ],
  'createMcpServer.refusal-is-json: registration-refused-in-single-quotes': [
    'Refusals to register an MCP server are written with single quotes.',
    () => refuseWith(({ body }) => body.replaceAll('"', "'")),
  ],
  'listMcpServerTools.refusal-is-json: tools-refused-with-the-code-alone': [
    'The body of a refusal to list tools is the line of its status, such as 404 Not Found.',
    () => refuseWith(({ status }) => `${status} ${STATUS_CODES[status]}`),
  ],
});
