/** Draws what a terminal shows: text with the escape codes for colours, as commands print it. */
import { escaped, fonts } from './svg.ts';

/** One terminal window: what was typed and printed in it. */
export interface Pane {
  /** What stands in its title bar. */
  title: string;
  text: string;
  /** How many rows a long line may take before it is cut. Default: 3. */
  rows?: number;
}

const columns = 100;
const cell = { width: 7.8, height: 18 };
const margin = 16;
const barHeight = 30;

const css = `
  text{font-family:${fonts.code};font-size:13px;fill:#e6edf3;white-space:pre}
  .bar{font-family:${fonts.text};font-size:12.5px;fill:#9ea7b3}
  .b{font-weight:700}.d{fill:#9ea7b3}.u{text-decoration:underline}
  .r{fill:#ff8b80}.g{fill:#56d364}.y{fill:#e3b341}.c{fill:#62d5e5}.p{fill:#4c9aff;font-weight:700}
`.replaceAll(/\s*\n\s*/g, '');

/** An SVG of one or more terminals, each below the other. Dark on every page, as terminals are. */
export function drawTerminals(title: string, description: string, panes: readonly Pane[]): string {
  const width = Math.ceil(2 * margin + columns * cell.width);
  const body: string[] = [];
  let y = 1;
  for (const { title: bar, text, rows: most = 3 } of panes) {
    const rows = linesOf(text).flatMap((line) => wrapped(line, most));
    body.push(drawBar(bar, y, width));
    rows.forEach((row, index) => {
      body.push(...drawRow(row, y + barHeight + 24 + index * cell.height));
    });
    y += barHeight + rows.length * cell.height + 24;
  }
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + 1}" width="${width}" height="${y + 1}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="desc">${escaped(description)}</desc>`,
    `<style>${css}</style>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${y}" rx="10" fill="#151b23" stroke="#3d444d"/>`,
    ...body,
    '</svg>',
  ].join('\n')}\n`;
}

function drawBar(title: string, y: number, width: number): string {
  const dots = [20, 38, 56].map((x) => `<circle cx="${x}" cy="${y + 15}" r="5" fill="#3d444d"/>`).join('');
  const line = (at: number) => `<path d="M1 ${at}H${width - 1}" stroke="#3d444d"/>`;
  const rules = (y > 1 ? line(y) : '') + line(y + barHeight);
  return `${rules}${dots}<text class="bar" text-anchor="middle" x="${width / 2}" y="${y + 19.5}">${escaped(title)}</text>`;
}

/** A character and the classes it is drawn with. */
type Cell = readonly [letter: string, style: string];

/** What each code of a style switches: the classes it takes away, and the one it adds. */
const codes: Readonly<Record<string, readonly [gone: string, added?: string]>> = {
  0: ['bducrgyp'],
  1: ['', 'b'],
  2: ['', 'd'],
  4: ['', 'u'],
  22: ['bd'],
  24: ['u'],
  31: ['rgyc', 'r'],
  32: ['rgyc', 'g'],
  33: ['rgyc', 'y'],
  36: ['rgyc', 'c'],
  39: ['rgycp'],
  // Blue, which no command prints, is the prompt.
  34: ['rgyc', 'p'],
};

/** The lines as they stand in the end, whatever stood in them before a carriage return. */
function linesOf(text: string): Cell[][] {
  let style = '';
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const cells: Cell[] = [];
      let column = 0;
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for.
      for (const [part, code] of line.matchAll(/\x1b\[(\d+)m|\r|[^\x1b\r]/gu)) {
        if (part === '\r') column = 0;
        else if (code === undefined) cells[column++] = [part, style];
        else style = restyled(style, code);
      }
      while (cells.at(-1)?.[0] === ' ') cells.pop();
      return cells;
    });
}

function restyled(style: string, code: string): string {
  const change = codes[code];
  if (change === undefined)
    throw new Error(`The style ${code} cannot be drawn: add it to docs/make-pictures/terminal.ts.`);
  const [gone, added = ''] = change;
  return [...style].filter((one) => !gone.includes(one) && one !== added).join('') + added;
}

/** A line in as many rows as it needs, or as many as it may have; then it ends in `…`. */
function wrapped(line: readonly Cell[], most: number): Cell[][] {
  const rows: Cell[][] = [];
  for (let start = 0; start < line.length || start === 0; start += columns)
    rows.push(line.slice(start, start + columns));
  if (rows.length <= most) return rows;
  const last = rows[most - 1]?.slice(0, columns - 1) ?? [];
  return [...rows.slice(0, most - 1), [...last, ['…', 'd']]];
}

function drawRow(row: readonly Cell[], y: number): string[] {
  const drawn: string[] = [];
  for (let start = 0; start < row.length; ) {
    const style = row[start]?.[1] ?? '';
    let end = start;
    while (end < row.length && row[end]?.[1] === style) end++;
    drawn.push(...drawRun(row.slice(start, end), style, start, y));
    start = end;
  }
  return drawn;
}

/** Text of one style. Blanks are not drawn: each part stands at its place, as wide as its letters, in every font. */
function drawRun(cells: readonly Cell[], style: string, column: number, y: number): string[] {
  const text = cells.map(([letter]) => letter).join('');
  const drawn: string[] = [];
  for (const { 0: part, index } of text.matchAll(/\S+(?: \S+)*/g)) {
    const before = [...text.slice(0, index)].length;
    const x = margin + (column + before) * cell.width;
    const length = [...part].length * cell.width;
    const styles = style === '' ? '' : ` class="${[...style].join(' ')}"`;
    drawn.push(`<text${styles} x="${round(x)}" y="${y}" textLength="${round(length)}">${escaped(part)}</text>`);
  }
  return drawn;
}

const round = (value: number) => Math.round(value * 10) / 10;
