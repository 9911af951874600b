import fc from 'fast-check';
import { type RunningMock, startMock, startProcess } from '../../test/support/command.ts';
import { exchange, headerOf, type RawAnswer } from '../../test/support/raw-http.ts';
import { clearInputs, type FuzzedInput, fuzzedInputs, type Known } from './fuzz-requests.ts';
import type { TortureOptions } from './options.ts';

// Sends correct, odd and damaged requests to a mock, its admin API and a proxy before it. Nothing is answered with 5xx,
// nothing hangs, what is refused changes nothing, and every answer can be read.

const inputsAtOnce = 40;

interface Target {
  name: 'mock' | 'proxy';
  url: string;
  /** Whether clients say that nothing more comes. A proxy takes that for a client that is gone. */
  isEnded: boolean;
}

/** What is sent at the same time. */
interface Batch {
  target: Target;
  inputs: FuzzedInput[];
}

interface Figures {
  inputs: number;
  answers: number;
  refusals: number;
  /** Connections that were closed without an answer, because nothing on them could be read. */
  unanswered: number;
}

/** Runs the torture, and prints its figures. Rejects with the smallest inputs that show what is wrong. */
export async function run({ seed, count = 1_000_000, print }: TortureOptions): Promise<void> {
  print(`fuzz: ${count} inputs, seed ${seed}`);
  const mock = await startMock(['--log-level', 'error', '--request-log-limit', '100']);
  const proxy = startProcess(['proxy', '--upstream', mock.url, '--port', '0', '--log-level', 'error']);
  try {
    const proxyUrl = await proxy.printed(/https?:\/\/\S+?\/v0\.1/);
    const figures = await fuzz(mock, proxyUrl, { seed, count });
    print(
      `${figures.inputs} inputs, ${figures.answers} answers, ${figures.refusals} of them refusals, ${figures.unanswered} connections closed without one. No 5xx, nothing hung, nothing refused changed the state.`,
    );
  } finally {
    await Promise.all([mock.stop(), proxy.stop()]);
  }
}

async function fuzz(
  mock: RunningMock,
  proxyUrl: string,
  { seed, count }: { seed: number; count: number },
): Promise<Figures> {
  const figures: Figures = { inputs: 0, answers: 0, refusals: 0, unanswered: 0 };
  const known = await knownOf(mock);
  const many = (inputs: fc.Arbitrary<FuzzedInput>) =>
    fc.array(inputs, { minLength: 1, maxLength: inputsAtOnce, size: 'max' });
  const direct: Target = { name: 'mock', url: mock.url, isEnded: true };
  const proxied: Target = { name: 'proxy', url: proxyUrl, isEnded: false };
  const batches = fc.oneof(
    { weight: 4, arbitrary: fc.record({ target: fc.constant(direct), inputs: many(fuzzedInputs(known)) }) },
    { weight: 1, arbitrary: fc.record({ target: fc.constant(proxied), inputs: many(clearInputs(known)) }) },
  );
  const property = fc.asyncProperty(batches, (batch) => sendAtOnce(mock, batch, figures));
  const averageSize = (inputsAtOnce + 1) / 2;
  await fc.assert(property, { seed, numRuns: Math.ceil(count / averageSize), reporter });
  await expectUnblamed(proxied);
  return figures;
}

/** Words a failure so that it can be read and used again: bytes as text, not as lists of numbers. */
const reporter: NonNullable<fc.Parameters<[Batch]>['reporter']> = (details) => {
  if (!details.failed) return;
  const [batch] = details.counterexample ?? [];
  const shown = (batch?.inputs ?? []).map(({ bytes }) => JSON.stringify(bytes.toString('latin1'))).join('\n');
  const cause = details.errorInstance instanceof Error ? details.errorInstance.message : String(details.errorInstance);
  throw new Error(`${cause}\nThe smallest inputs:\n${shown}\nUse it again with --seed ${details.seed}.`);
};

async function knownOf(mock: RunningMock): Promise<Known> {
  const state = JSON.stringify(await (await fetch(new URL('/__admin/snapshot', mock.url))).json());
  const ids = [...state.matchAll(/"id":"([^"]{8,40})"/g)].map(([, id]) => id ?? '');
  return { keys: ['demo-key'], ids: [...new Set(ids)].slice(0, 40) };
}

/** The state, without the number of calls: a read that is answered with an error of the connection counts, too. */
async function stateOf(mock: RunningMock): Promise<string> {
  const text = await (await fetch(new URL('/__admin/snapshot', mock.url))).text();
  return text.replaceAll(/"calls":\s*\d+/g, '');
}

async function sendAtOnce(mock: RunningMock, { target, inputs }: Batch, figures: Figures): Promise<void> {
  const before = await stateOf(mock);
  // Whoever says that nothing more comes gets an answer to half a request, too.
  const options = { isReadToEnd: target.isEnded, isHalfClosed: target.isEnded };
  const replies = await Promise.all(
    inputs.map(({ bytes, methods }) => exchange(target.url, bytes, { methods, ...options })),
  );
  const answers = replies.flatMap((reply) => reply.answers);
  for (const answer of answers) judge(answer, target);
  const unanswered = replies.filter((reply) => reply.answers.length === 0).length;
  figures.inputs += inputs.length;
  figures.answers += answers.length;
  figures.refusals += answers.filter(({ status }) => status >= 400).length;
  figures.unanswered += unanswered;
  const isRefused = unanswered === 0 && answers.every(({ status }) => status >= 400);
  if (isRefused && (await stateOf(mock)) !== before) throw new Error('The state changed, although all was refused.');
}

function judge(answer: RawAnswer, { name }: Target): void {
  const { status, body } = answer;
  const text = body.toString('utf8');
  const place = `The ${name} answered ${status}: ${text.slice(0, 300)}`;
  if (status >= 500) throw new Error(place);
  if (/\n\s+at \S+ \(/.test(text)) throw new Error(`There is a stack in it. ${place}`);
  if (!/json/.test(headerOf(answer, 'content-type') ?? '') || text === '') return;
  try {
    JSON.parse(text);
  } catch {
    throw new Error(`The body is no JSON. ${place}`);
  }
}

/** The proxy judges every answer by the contract: it must have nothing against the mock. */
async function expectUnblamed({ url }: Target): Promise<void> {
  const { server } = (await (await fetch(new URL('/__admin/summary', url))).json()) as { server: unknown[] };
  if (server.length > 0)
    throw new Error(`The proxy says that the mock broke the contract: ${JSON.stringify(server[0])}`);
}
