import { STATUS_CODES } from 'node:http';
import type { Choice, OpenPoint } from '../../openapi/contract/open-points.ts';
import { loadOwnYaml } from '../../openapi/contract/own-files.ts';
import type { Profile } from '../../openapi/contract/profile.ts';
import { createMock, type Seed } from '../../src/index.ts';
import { readableJson } from './json-text.ts';
import { startMcpServer } from './mcp-server.ts';
import { parseRequest, type SentRequest } from './requests.ts';

/** What shows an open point: see the head of `questions.yaml`. */
export interface WrittenExample {
  send?: string | string[];
  other?: Choice;
  with?: Partial<Profile>;
  tools?: object[] | 'down';
  none?: string;
  before?: string;
}

/** The same requests, sent to two mocks that differ in one choice. */
export interface ShownExample {
  choices: readonly [Choice, Choice];
  /** What a reader has to know of the state and of other choices. */
  assumed: readonly string[];
  steps: readonly ShownStep[];
}

/** One request with its answers under the two choices. */
interface ShownStep {
  request: SentRequest;
  answers: readonly [ShownAnswer, ShownAnswer];
}

export interface ShownAnswer {
  /** `201 Created` */
  status: string;
  /** Headers that the other answer does not have, as `name: value`; the media type only if the codes are the same. */
  headers: readonly string[];
  /** JSON, indented; empty where there is no body. */
  body: string;
}

interface Asked {
  point: OpenPoint;
  example: WrittenExample | undefined;
}

// Nothing listens at the first port.
const deadUrl = 'http://127.0.0.1:1/mcp';
const clock = '2026-06-01T12:00:00Z';

/** Uses the examples of open points. What no exchange shows stays the sentence that says why. */
export async function runExamples(all: readonly Asked[]): Promise<Map<string, ShownExample | string>> {
  const applied = new Map<string, ShownExample | string>();
  for (const { point, example } of all) applied.set(point.id, await runExample(point, example));
  return applied;
}

async function runExample(point: OpenPoint, example: WrittenExample | undefined): Promise<ShownExample | string> {
  if (example?.none !== undefined) return example.none;
  const requests = [example?.send ?? []].flat();
  if (requests.length === 0) throw new Error(withoutExample(point.id));
  const other = example?.other ?? point.choices.find(({ value }) => value !== point.default)?.value ?? point.default;
  const choices = [point.default, other] as const;
  const [usual, unusual] = [
    await exchange(point, choices[0], example ?? {}, requests),
    await exchange(point, choices[1], example ?? {}, requests),
  ];
  const steps = usual.map((step, index) => toStep(step, unusual[index] ?? step));
  if (steps.every(({ answers: [one, two] }) => isSame(one, two))) throw new Error(looksTheSame(point.id, choices));
  return { choices, assumed: assumedBy(example ?? {}), steps };
}

function assumedBy({ with: others = {}, before, tools }: WrittenExample): string[] {
  return [
    ...Object.entries(others).map(([id, choice]) => `With \`${id}\` = \`${choice}\`.`),
    ...(before === undefined ? [] : [`Before: ${before}`]),
    ...(tools === 'down'
      ? ['The mock server may contact MCP servers here, and nothing answers at the URL of this one.']
      : []),
    ...(Array.isArray(tools) ? ['The mock server may contact MCP servers here, and asks this one.'] : []),
  ];
}

const withoutExample = (id: string) =>
  `docs/questions.yaml has no example for ${id}. Add \`example: { send: "GET /drives" }\` with a request that is answered differently under two choices, or \`example: { none: "…" }\` with the reason why no exchange shows it. The head of the file explains more.`;

const looksTheSame = (id: string, choices: readonly Choice[]) =>
  `The example of ${id} in docs/questions.yaml is answered alike under ${choices.join(' and ')}. Send another request, or say with \`other\` which choice shows it.`;

/** Whether two answers look the same to a reader. */
export function isSame(one: ShownAnswer, other: ShownAnswer): boolean {
  return one.status === other.status && one.body === other.body && `${one.headers}` === `${other.headers}`;
}

interface Step {
  request: SentRequest;
  status: number;
  headers: Headers;
  text: string;
}

/** Sends the requests to a mock that uses a choice. Everything that could differ between two runs stands still. */
async function exchange(
  point: OpenPoint,
  choice: Choice,
  { with: others, tools }: WrittenExample,
  requests: readonly string[],
): Promise<Step[]> {
  const needs = point.needs ?? point.choices.find(({ value }) => value === choice)?.needs;
  const tooled = Array.isArray(tools) ? await startMcpServer(tools) : undefined;
  const url = tools === 'down' ? deadUrl : tooled?.url;
  const mock = await createMock({
    ...{
      seed: seedWith(url),
      clock,
      admin: false,
      openPointsHeader: false,
      requestLogLimit: 0,
    },
    set: { ...others, [point.id]: choice },
    liveMcp: needs === 'liveMcp',
  });
  try {
    const steps: Step[] = [];
    for (const written of requests) steps.push(await send(mock.url, parseRequest(written, idIn(steps.at(-1)))));
    return steps.map((step) => ({ ...step, text: withSeedUrl(step.text, url) }));
  } finally {
    await mock.close();
    await tooled?.close();
  }
}

/** The seed of the examples; its MCP servers are at a URL, if there is one. */
function seedWith(url: string | undefined): Seed {
  const seed = loadOwnYaml('docs/questions/seed.yaml') as Seed;
  if (url === undefined) return seed;
  const organizations = seed.organizations.map((organization) => ({
    ...organization,
    mcpServers: (organization.mcpServers ?? []).map((server) => ({ ...server, url })),
  }));
  return { organizations };
}

// A reader knows the MCP server by its URL in the seed, not by that of this machine.
function withSeedUrl(text: string, url: string | undefined): string {
  const [server] = (loadOwnYaml('docs/questions/seed.yaml') as Seed).organizations[0]?.mcpServers ?? [];
  return url === undefined ? text : text.replaceAll(url, server?.url ?? url);
}

async function send(baseUrl: string, request: SentRequest): Promise<Step> {
  const { method, target, headers, body } = request;
  const response = await fetch(baseUrl + target, { method, headers, redirect: 'manual', ...(body && { body }) });
  return { request, status: response.status, headers: response.headers, text: await response.text() };
}

function idIn(step: Step | undefined): string {
  if (step === undefined || !step.text.startsWith('{')) return '';
  return String((JSON.parse(step.text) as { id?: unknown }).id ?? '');
}

function toStep(one: Step, other: Step): ShownStep {
  return { request: one.request, answers: [toAnswer(one, other), toAnswer(other, one)] };
}

function toAnswer({ status, headers, text }: Step, other: Step): ShownAnswer {
  const isOther = status !== other.status;
  const own = [...headers].filter(([name, value]) => {
    if (passing.test(name) || (isOther && name === 'content-type')) return false;
    return other.headers.get(name) !== value;
  });
  return {
    status: `${status} ${phrases[status] ?? STATUS_CODES[status] ?? ''}`.trim(),
    headers: own.map(([name, value]) => `${name}: ${value}`),
    body: text === '' ? '' : shortened(readableJson(JSON.parse(text))),
  };
}

// Renamed by RFC 9110; Node has the old names in some versions.
const phrases: Readonly<Record<number, string>> = { 413: 'Content Too Large', 422: 'Unprocessable Content' };

// What belongs to the connection or differs with every answer.
const passing = /^(?:date|connection|keep-alive|content-length|x-request-id)$/;

/** A text in which a long row of `x` is only begun. */
export function shortened(text: string): string {
  return text.replaceAll(/x{100,}/g, (row) => `xxx… (${row.length.toLocaleString('en')} × x)`);
}
