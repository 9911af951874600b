import { sightingOf } from '../http/proxy/observe/learned-profile.ts';
import type { ProxySummary, Tally } from '../http/proxy/summary.ts';
import { columns } from './help.ts';

/** What a person is told at the end: who broke what, how often, first where; and what the server chose. */
export function proxySummary(summary: ProxySummary): string {
  const { upstream, requests, judged, client, server, restsOnOpenPoints } = summary;
  return [
    `${count(requests, 'request')} to ${upstream}, ${judged} of them judged.`,
    ...countsOf('Not judged, or not whole', summary.notJudged),
    ...countsOf('Failed', summary.failures),
    '',
    ...section('The client broke the contract', client),
    ...section('The server broke the contract', server),
    ...(restsOnOpenPoints.length === 0 ? [] : section('The client relies on what is open', restsOnOpenPoints)),
    ...learnedLines(summary),
    '',
  ].join('\n');
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function countsOf(title: string, counts: Readonly<Record<string, number>>): string[] {
  const parts = Object.entries(counts).map(([what, number]) => `${number} ${what}`);
  return parts.length === 0 ? [] : [`${title}: ${parts.join(', ')}.`];
}

function section(title: string, tallies: readonly Tally[]): string[] {
  const times = tallies.reduce((sum, tally) => sum + tally.count, 0);
  if (times === 0) return [`${title}: never.`, ''];
  return [`${title}: ${count(times, 'time')}.`, ...tallies.flatMap(tallyLines), ''];
}

function tallyLines({ operation, severity, place, count: times, first }: Tally): string[] {
  const example = `${first.method} ${first.path} -> ${first.status}`;
  return [
    `  ${severity.toLowerCase()}  ${operation ?? 'no operation'}  ${place}  (${count(times, 'time')})`,
    `      ${first.message}`,
    `      first: ${example}  [${first.requestId}]`,
  ];
}

function learnedLines({ learned: { observed, evidence, unclear } }: ProxySummary): string[] {
  const choices = Object.entries(observed);
  if (choices.length === 0) return ['Of the open points nothing was seen.'];
  const rows = choices.map(([id, choice]) => {
    const times = evidence[id as keyof typeof evidence]?.count ?? 0;
    return [id, `${choice} (${count(times, 'time')})`] as const;
  });
  const left = Object.entries(unclear).flatMap(([id, sightings = []]) => [
    `  ${id}: ${sightings.map(sightingOf).join('; ')}`,
  ]);
  return [
    `What the server chose at ${count(choices.length, 'open point')}:`,
    columns(rows),
    ...(left.length === 0 ? [] : ['Seen in ways that do not go together:', ...left]),
  ];
}
