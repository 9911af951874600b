/**
 * What all drawn pictures share: colours for light and dark pages, fonts, widths of text, and the frame of the file.
 * A picture brings its background along, so it can be read on any page.
 */

export const fonts = {
  text: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  code: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
};

/** Colours by name: light, dark. */
const colours: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  paper: ['#ffffff', '#0d1117'],
  edge: ['#d1d9e0', '#30363d'],
  ink: ['#1f2328', '#e6edf3'],
  soft: ['#57606a', '#9ea7b3'],
  line: ['#6e7781', '#8b949e'],
  'yours-fill': ['#e6f2ff', '#0f2540'],
  'yours-line': ['#0969da', '#4c9aff'],
  'ours-fill': ['#e4f6e8', '#10281a'],
  'ours-line': ['#1a7f37', '#3fb950'],
  'server-fill': ['#fff3d6', '#2d2208'],
  'server-line': ['#9a6700', '#d29922'],
  'data-fill': ['#f3f4f6', '#1a2029'],
  'data-line': ['#818b98', '#7d8590'],
};

const variables = (index: 0 | 1) =>
  Object.entries(colours)
    .map(([name, pair]) => `--${name}:${pair[index]}`)
    .join(';');

const style = (more: string) =>
  `svg{${variables(0)}}@media (prefers-color-scheme:dark){svg{${variables(1)}}}${more}`.replaceAll(/\s*\n\s*/g, '');

interface Frame {
  title: string;
  description: string;
  width: number;
  height: number;
  /** Rules beside the colours. */
  css: string;
  body: readonly string[];
}

/** A whole SVG file. */
export function svgFile({ title, description, width, height, css, body }: Frame): string {
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="desc">${escaped(description.trim().replaceAll(/\s+/g, ' '))}</desc>`,
    `<style>${style(css)}</style>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10" fill="var(--paper)" stroke="var(--edge)"/>`,
    ...body,
    '</svg>',
  ].join('\n')}\n`;
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** About how wide a text is in the widest of the usual fonts, so that it fits in all of them. */
export function widthOf(text: string, size: number, isBold = false): number {
  const widths = [...text].map((letter) => {
    if (/[iljtfrI.,:;|!'()[\]/ -]/.test(letter)) return 0.38;
    if (/[mwMW@%—→]/.test(letter)) return 0.94;
    return /[A-Z0-9_…·]/.test(letter) ? 0.67 : 0.61;
  });
  return widths.reduce((sum, width) => sum + width, 0) * size * (isBold ? 1.2 : 1);
}

/** What the arrows of a diagram end in. */
export const arrowHead =
  '<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="head" d="M0 .8 10 5 0 9.2z"/></marker></defs>';

/** The rules of all diagrams. */
export const diagramCss = `
  text{font-family:${fonts.text};font-size:13px;fill:var(--ink)}
  .title{font-weight:600;font-size:14.5px}
  .soft{fill:var(--soft)}
  .code{font-family:${fonts.code};font-size:11.5px}
  .label{fill:var(--soft);paint-order:stroke;stroke:var(--paper);stroke-width:5px;stroke-linejoin:round}
  .arrow{fill:none;stroke:var(--line);stroke-width:1.6}
  .head{fill:var(--line)}
  .dashed{stroke-dasharray:5 4}
  ${['yours', 'ours', 'server', 'data'].map((kind) => `.${kind}{fill:var(--${kind}-fill);stroke:var(--${kind}-line);stroke-width:1.5}`).join('')}
  .frame{fill-opacity:.35;stroke-dasharray:6 4}
  .plain{fill:none;stroke:none}
`;
