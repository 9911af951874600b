/** Draws a diagram of boxes and arrows from a file in `diagrams/`; `diagrams/overview.yaml` shows all that it may hold. */
import { arrowHead, diagramCss, escaped, svgFile, widthOf } from './svg.ts';

/** Left, top, width and height. */
type Place = readonly [x: number, y: number, width: number, height: number];

interface Box {
  at: Place;
  /** `yours`, `ours`, `server`, `data`; `plain` is text without a box. */
  kind: 'yours' | 'ours' | 'server' | 'data' | 'plain';
  title?: string;
  /** Lines below the title; one in backquotes is code. */
  text?: readonly string[];
  /** Whether other boxes stand in it: its title is at the top. */
  isFrame?: boolean;
}

interface Arrow {
  from: string;
  to: string;
  label?: string | readonly string[];
  /** Where it runs: its y if it is horizontal, else its x. Default: the middle of what both boxes share. */
  at?: number;
  isDashed?: boolean;
  isTwoWay?: boolean;
}

/** A drawing of boxes and arrows. */
export interface Diagram {
  title: string;
  /** What a person hears who does not see it. */
  description: string;
  size: readonly [width: number, height: number];
  boxes: Readonly<Record<string, Box>>;
  arrows?: readonly Arrow[];
}

const lineHeight = 17;

export function drawDiagram({ title, description, size, boxes, arrows = [] }: Diagram): string {
  const [width, height] = size;
  const boxOf = (name: string) => {
    const box = boxes[name];
    if (box === undefined) throw new Error(`An arrow of "${title}" names the box "${name}", which is not there.`);
    return box;
  };
  const body = [
    arrowHead,
    ...Object.values(boxes).map(drawBox),
    ...arrows.map((arrow) => drawArrow(arrow, boxOf(arrow.from).at, boxOf(arrow.to).at, width)),
  ];
  return svgFile({ title, description, width, height, css: diagramCss, body });
}

function drawBox({ at: [x, y, width, height], kind, title, text = [], isFrame = false }: Box): string {
  const rows = [...(title === undefined ? [] : [{ text: title, style: 'title' }]), ...text.map(toRow)];
  const top = isFrame ? y + 20 : y + height / 2 - ((rows.length - 1) * lineHeight) / 2 + 4.5;
  for (const row of rows) requireRoom(row, width);
  const lines = rows.map(({ text, style }, index) => {
    const place = `x="${x + width / 2}" y="${top + index * lineHeight}"`;
    return `<text class="${style}" text-anchor="middle" ${place}>${escaped(text)}</text>`;
  });
  const shape = `<rect class="${kind}${isFrame ? ' frame' : ''}" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>`;
  return [shape, ...lines].join('');
}

interface Row {
  text: string;
  style: string;
}

function toRow(line: string): Row {
  const code = /^`(.*)`$/.exec(line)?.[1];
  return code === undefined ? { text: line, style: 'soft' } : { text: code, style: 'soft code' };
}

function requireRoom({ text, style }: Row, room: number): void {
  const width = style.includes('code') ? text.length * 7 : widthOf(text, 13, style === 'title');
  if (width > room - 6) throw new Error(`"${text}" is about ${Math.ceil(width)} wide, and its box only ${room}.`);
}

type Point = readonly [x: number, y: number];

function drawArrow(arrow: Arrow, from: Place, to: Place, width: number): string {
  const { label = [], isDashed = false, isTwoWay = false } = arrow;
  const points = routeOf(from, to, arrow.at);
  const path = `M${points.map((point) => point.join(' ')).join('L')}`;
  const ends = `${isTwoWay ? ' marker-start="url(#head)"' : ''} marker-end="url(#head)"`;
  const lines = typeof label === 'string' ? [label] : label;
  return `<path class="arrow${isDashed ? ' dashed' : ''}" d="${path}"${ends}/>${drawLabel(lines, points, width)}`;
}

/** Straight where the boxes face each other; otherwise sideways first, then up or down. */
function routeOf(from: Place, to: Place, at: number | undefined): Point[] {
  const rows = shared(from[1], from[3], to[1], to[3]);
  const columns = shared(from[0], from[2], to[0], to[2]);
  const isRight = to[0] + to[2] / 2 > from[0] + from[2] / 2;
  const isBelow = to[1] + to[3] / 2 > from[1] + from[3] / 2;
  const side = (place: Place, isFar: boolean) => place[0] + (isFar ? place[2] : 0);
  const edge = (place: Place, isFar: boolean) => place[1] + (isFar ? place[3] : 0);
  if (rows !== undefined) {
    const y = at ?? rows;
    return [
      [side(from, isRight), y],
      [side(to, !isRight), y],
    ];
  }
  if (columns !== undefined) {
    const x = at ?? columns;
    return [
      [x, edge(from, isBelow)],
      [x, edge(to, !isBelow)],
    ];
  }
  const x = at ?? to[0] + to[2] / 2;
  const y = from[1] + from[3] / 2;
  return [
    [side(from, isRight), y],
    [x, y],
    [x, edge(to, !isBelow)],
  ];
}

/** The middle of what two lengths share, if they do. */
function shared(from: number, length: number, other: number, otherLength: number): number | undefined {
  const start = Math.max(from, other);
  const end = Math.min(from + length, other + otherLength);
  return start < end ? (start + end) / 2 : undefined;
}

/** Above a horizontal arrow, right of a vertical one. */
function drawLabel(lines: readonly string[], points: readonly Point[], width: number): string {
  const [[x1, y1], [x2, y2]] = points as [Point, Point];
  const isHorizontal = y1 === y2;
  const x = isHorizontal ? (x1 + x2) / 2 : x1 + 9;
  const bottom = isHorizontal ? y1 - 8 : (y1 + y2) / 2 + 4.5 + ((lines.length - 1) * lineHeight) / 2;
  return lines
    .map((line, index) => {
      const right = x + widthOf(line, 13) / (isHorizontal ? 2 : 1);
      if (right > width) throw new Error(`"${line}" ends at about ${Math.ceil(right)}, beyond the right edge.`);
      const y = bottom - (lines.length - 1 - index) * lineHeight;
      return `<text class="label" text-anchor="${isHorizontal ? 'middle' : 'start'}" x="${x}" y="${y}">${escaped(line)}</text>`;
    })
    .join('');
}
