import { columns, plural } from '../../lib/text.ts';
import { type AnswerForm, answerForms } from './answer-forms.ts';
import { clientForms } from './client-forms.ts';
import { hidden } from './form.ts';
import { places, sendAnswerForm } from './send-answer-form.ts';
import { sendClientForm } from './send-client-form.ts';
import { type InUse, modes } from './stage.ts';

/** A form that was used in each mode. */
export interface Line {
  form: string;
  sent: string;
  outcome: string;
  /** How many requests of the client reached the upstream. */
  requests: string;
  deviations: string[];
}

/** Uses all forms, one after the other. */
export async function* runMatrix(): AsyncGenerator<Line> {
  for (const form of clientForms) {
    const applied = await runAll(modes, ({ judgeLimitBytes }) => sendClientForm(form, judgeLimitBytes));
    yield toLine(`${form.group}: ${form.name}`, form.bytes, applied, outcomeOf);
  }
  for (const form of answerForms) {
    const applied = await runAll(answerModes, ({ judgeLimitBytes, place }) =>
      sendAnswerForm(form, judgeLimitBytes, place),
    );
    const name = `${form.group}: ${form.method}: ${form.name}`;
    yield toLine(name, form.answer.pieces.join(''), applied, (each) => answerOutcomeOf(form, each));
  }
}

const answerModes = places.flatMap((place) =>
  modes.map(({ judgeLimitBytes, taken }) => ({ place, judgeLimitBytes, taken: `${taken}, on a ${place} connection` })),
);

async function runAll<Mode extends { taken: string }>(
  all: readonly Mode[],
  runOne: (mode: Mode) => Promise<InUse>,
): Promise<(InUse & { taken: string })[]> {
  const applied: (InUse & { taken: string })[] = [];
  for (const mode of all) {
    const failed = (error: unknown) => ({ statuses: [], requests: 0, deviations: [`not used to its end: ${error}`] });
    applied.push({ ...(await runOne(mode).catch(failed)), taken: mode.taken });
  }
  return applied;
}

function toLine(
  form: string,
  bytes: string,
  applied: readonly (InUse & { taken: string })[],
  toOutcome: (each: InUse) => string,
): Line {
  return {
    form,
    sent: excerpt(bytes),
    outcome: together(applied.map(toOutcome)),
    requests: together(applied.map(({ requests }) => String(requests))),
    deviations: applied.flatMap(({ deviations, taken }) => deviations.map((each) => `${taken}: ${each}`)),
  };
}

function outcomeOf({ requests, statuses }: InUse): string {
  if (requests > 0) return 'forwarded';
  return statuses.length > 0 ? `refused with ${statuses.join(', ')}` : 'refused by closing';
}

function answerOutcomeOf({ expected }: AnswerForm, { statuses: [first] }: InUse): string {
  if (expected === 'cut off') return 'cut off';
  return `${expected === 'replaced' ? 'replaced by' : 'relayed as'} ${first}`;
}

/** One text where all modes agree, otherwise that of each. */
function together(texts: readonly string[]): string {
  return [...new Set(texts)].join(' / ');
}

const longestExcerpt = 64;

/** The bytes without what is the same in all forms. */
function excerpt(bytes: string): string {
  const short = bytes
    .replaceAll(hidden, '<a request>')
    .replace(' HTTP/1.1\r\nHost: mock.test\r\nX-API-Key: k\r\n', '\r\n')
    .slice(0, 2 * longestExcerpt);
  const escaped = JSON.stringify(short).slice(1, -1).replaceAll('\\"', '"');
  return escaped.length <= longestExcerpt ? escaped : `${escaped.slice(0, longestExcerpt - 1)}…`;
}

/** The table of all lines, then the deviations. */
export function render(lines: readonly Line[]): string {
  const rows = lines.map(({ form, sent, outcome, requests }) => [form, sent, outcome, requests]);
  const odd = lines.filter(({ deviations }) => deviations.length > 0);
  const told = odd.flatMap(({ form, deviations }) => [`  ${form}`, ...deviations.map((each) => `      ${each}`)]);
  return [
    ...columns([['form', 'sent', 'outcome', 'requests'], ...rows]),
    '',
    `${plural(lines.length, 'form')}, requests in ${modes.length} modes and answers in ${answerModes.length}, ${plural(odd.length, 'deviation')}.`,
    ...told,
  ].join('\n');
}
