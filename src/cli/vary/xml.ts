import { plain } from './tail.ts';

/** One element of an XML document. Texts are escaped, and what XML forbids is left out. */
export interface Element {
  name: string;
  attributes?: Readonly<Record<string, string | number>>;
  children?: readonly (Element | string)[];
}

/** The text of a whole document. */
export function toXml(root: Element): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${render(root, '')}\n`;
}

function render({ name, attributes = {}, children = [] }: Element, indent: string): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeText(String(value))}"`);
  const tag = `${indent}<${name}${written.join('')}`;
  if (children.length === 0) return `${tag}/>`;
  const [only] = children;
  if (typeof only === 'string') return `${tag}>${escapeText(only).replaceAll('&#10;', '\n')}</${name}>`;
  const inner = children.map((child) => (typeof child === 'string' ? '' : render(child, `${indent}  `)));
  return [`${tag}>`, ...inner, `${indent}</${name}>`].join('\n');
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

// A parser makes a space of a line break in an attribute, unless it comes as a reference.
function escapeText(text: string): string {
  const escaped = plain(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
  return escaped.replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
