import { STATUS_CODES } from 'node:http';
import type { WireAnswer, WireFault } from '../mutant.ts';
import { changeAnswer, isRefusal, on, type WireMutant, withBody, withHeader } from './wire-faults.ts';

const refusal = { requirement: 'bodies.refusals-are-json' } as const;
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
export const wireRefusals: readonly WireMutant[] = [
  {
    id: 'agents-refused-by-a-login-page',
    ...refusal,
    check: 'listAgents.refusal-is-json',
    fault: 'Who asks for agents without a valid key gets a login page, with 401.',
    wire: () =>
      on(
        'listAgents',
        refuseWith(() => '<form><input name="user"></form>', html, isStatus(401)),
      ),
  },
  {
    id: 'publication-refused-in-xml',
    ...refusal,
    check: 'publishAgentRevision.refusal-is-json',
    fault: 'Refusals of a publication are turned into XML.',
    wire: () =>
      on(
        'publishAgentRevision',
        refuseWith(({ status }) => `<error><status>${status}</status></error>`, 'application/xml'),
      ),
  },
  {
    id: 'drive-refused-by-a-proxy',
    ...refusal,
    check: 'createDrive.refusal-is-json',
    fault: 'A proxy puts an error page of its own in the place of each refusal to create a drive.',
    wire: () =>
      on(
        'createDrive',
        refuseWith(({ status }) => `<html><h1>${status}</h1><hr>proxy</html>`, html),
      ),
  },
  {
    id: 'drives-refused-in-bare-text',
    ...refusal,
    check: 'listDrives.refusal-is-json',
    fault: 'A gateway puts bare text that is declared as JSON in the place of refusals of the list of drives.',
    wire: () =>
      on(
        'listDrives',
        refuseWith(() => 'request refused'),
      ),
  },
  {
    id: 'missing-file-in-bare-words',
    ...refusal,
    check: 'getDriveFile.refusal-is-json',
    fault: 'That a file is not there is said in two bare words; other refusals are JSON.',
    wire: () =>
      on(
        'getDriveFile',
        refuseWith(() => 'Not found', 'text/plain', isStatus(404)),
      ),
  },
  {
    id: 'move-refused-in-half-a-body',
    ...refusal,
    check: 'updateDriveFile.refusal-is-json',
    fault: 'Of the body that refuses a move the last character is cut off.',
    wire: () =>
      on(
        'updateDriveFile',
        refuseWith(({ body }) => body.slice(0, -1)),
      ),
  },
  {
    id: 'servers-refused-behind-a-guard',
    ...refusal,
    check: 'listMcpServers.refusal-is-json',
    fault: 'Refusals of the list of MCP servers begin with characters that keep scripts from running them.',
    wire: () =>
      on(
        'listMcpServers',
        refuseWith(({ body }) => `)]}',\n${body}`),
      ),
  },
  {
    id: 'registration-refused-in-single-quotes',
    ...refusal,
    check: 'createMcpServer.refusal-is-json',
    fault: 'Refusals to register an MCP server are written with single quotes.',
    wire: () =>
      on(
        'createMcpServer',
        refuseWith(({ body }) => body.replaceAll('"', "'")),
      ),
  },
  {
    id: 'tools-refused-with-the-code-alone',
    ...refusal,
    check: 'listMcpServerTools.refusal-is-json',
    fault: 'The body of a refusal to list tools is the line of its status, such as 404 Not Found.',
    wire: () =>
      on(
        'listMcpServerTools',
        refuseWith(({ status }) => `${status} ${STATUS_CODES[status]}`),
      ),
  },
];
