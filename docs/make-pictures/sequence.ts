/** Draws who sends what to whom, in order, from a file in `diagrams/`; `diagrams/proxy.yaml` shows all that it may hold. */
import { arrowHead, diagramCss, escaped, svgFile } from './svg.ts';

interface Participant {
  /** The middle of its column. */
  x: number;
  kind: 'yours' | 'ours' | 'server' | 'data';
  title: string;
  text?: string;
}

/** A message, or a note on what somebody does. */
type Step =
  | { from: string; to: string; text: string; detail?: string; isDashed?: boolean }
  | { by: string; text: string; detail?: string };

/** A drawing of messages. */
export interface Sequence {
  title: string;
  description: string;
  width: number;
  participants: Readonly<Record<string, Participant>>;
  /** A frame around some participants. */
  frame?: { around: readonly string[]; title: string };
  steps: readonly Step[];
}

const boxWidth = 104;
const boxHeight = 50;
const top = 46;
const firstStep = top + boxHeight + 44;
const stepHeight = 50;

export function drawSequence({ title, description, width, participants, frame, steps }: Sequence): string {
  const end = firstStep + (steps.length - 1) * stepHeight + 30;
  const xOf = (name: string) => {
    const participant = participants[name];
    if (participant === undefined) throw new Error(`"${title}" has no participant "${name}".`);
    return participant.x;
  };
  const body = [
    arrowHead,
    ...(frame === undefined ? [] : [drawFrame(frame.title, frame.around.map(xOf), end)]),
    ...Object.values(participants).map((participant) => drawParticipant(participant, end)),
    ...steps.map((step, index) => drawStep(step, firstStep + index * stepHeight, xOf)),
  ];
  return svgFile({ title, description, width, height: end + 24, css: diagramCss, body });
}

function drawFrame(title: string, xs: readonly number[], end: number): string {
  const left = Math.min(...xs) - boxWidth / 2 - 12;
  const right = Math.max(...xs) + boxWidth / 2 + 12;
  return [
    `<rect class="ours frame" x="${left}" y="14" width="${right - left}" height="${end - 6}" rx="8"/>`,
    `<text class="title" text-anchor="middle" x="${(left + right) / 2}" y="34">${escaped(title)}</text>`,
  ].join('');
}

function drawParticipant({ x, kind, title, text }: Participant, end: number): string {
  const middle = top + boxHeight / 2;
  return [
    `<path class="arrow dashed" stroke-opacity=".55" d="M${x} ${top + boxHeight}V${end - 6}"/>`,
    `<rect class="${kind}" x="${x - boxWidth / 2}" y="${top}" width="${boxWidth}" height="${boxHeight}" rx="8"/>`,
    `<text class="title" text-anchor="middle" x="${x}" y="${middle + (text === undefined ? 5 : -3)}">${escaped(title)}</text>`,
    text === undefined
      ? ''
      : `<text class="soft" text-anchor="middle" x="${x}" y="${middle + 15}">${escaped(text)}</text>`,
  ].join('');
}

function drawStep(step: Step, y: number, xOf: (name: string) => number): string {
  if ('by' in step) return drawNote(step, y, xOf(step.by));
  const { from, to, text, detail, isDashed = false } = step;
  const [start, end] = [xOf(from), xOf(to)];
  const x = (start + end) / 2;
  return [
    `<path class="arrow${isDashed ? ' dashed' : ''}" d="M${start} ${y}H${end + (end > start ? -2 : 2)}" marker-end="url(#head)"/>`,
    `<text class="label" style="fill:var(--ink)" text-anchor="middle" x="${x}" y="${y - 8}">${escaped(text)}</text>`,
    detail === undefined
      ? ''
      : `<text class="label" text-anchor="middle" x="${x}" y="${y + 17}">${escaped(detail)}</text>`,
  ].join('');
}

function drawNote({ text, detail }: { text: string; detail?: string }, y: number, x: number): string {
  return [
    `<circle class="head" cx="${x}" cy="${y - 8}" r="4"/>`,
    `<text class="label" style="fill:var(--ink)" x="${x + 12}" y="${y - 4}">${escaped(text)}</text>`,
    detail === undefined ? '' : `<text class="label" x="${x + 12}" y="${y + 13}">${escaped(detail)}</text>`,
  ].join('');
}
