/**
 * All pictures of the documents, in `docs/pictures/`: diagrams and terminals as SVG, screenshots as PNG. `npm run pictures`
 * makes them, and `test/package/pictures.test.ts` says which are stale. To add one:
 *
 * - a diagram: a file in `diagrams/`, and its name below
 * - a terminal: a function in `recordings.ts`
 * - a screenshot: an entry in `screenshots.ts`
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { parse } from 'yaml';
import { type Diagram, drawDiagram } from './diagram.ts';
import { recordings } from './recordings.ts';
import { lookAt, shots } from './screenshots.ts';
import { drawSequence, type Sequence } from './sequence.ts';

const folder = new URL('../pictures/', import.meta.url);
const digestsFile = new URL('digests.json', folder);

export const diagrams = ['overview', 'architecture', 'proxy', 'suite'];

/** The names of all pictures. A screenshot is two files: `<name>-light.png` and `<name>-dark.png`. */
export const names = [...diagrams, ...Object.keys(recordings), ...Object.keys(shots)];

/** The files of a picture. */
export function filesOf(name: string): string[] {
  return name in shots ? [`${name}-light.png`, `${name}-dark.png`] : [`${name}.svg`];
}

/** What a diagram or a terminal must be. */
export async function drawn(name: string): Promise<string> {
  const record = recordings[name];
  if (record !== undefined) return record();
  const source = readFileSync(new URL(`diagrams/${name}.yaml`, import.meta.url), 'utf8');
  const diagram: Diagram | Sequence = parse(source);
  return 'participants' in diagram ? drawSequence(diagram) : drawDiagram(diagram);
}

/** The digest of what each screenshot shows, as it was when it was taken. */
export function keptDigests(): Record<string, string> {
  return existsSync(digestsFile) ? JSON.parse(readFileSync(digestsFile, 'utf8')) : {};
}

/**
 * Makes a picture; whether that changed it. A screenshot that shows what it showed before is not taken again: its pixels
 * would differ with the fonts of the machine.
 */
export async function make(name: string, openBrowser: () => Promise<Browser>): Promise<boolean> {
  const files = filesOf(name).map((file) => new URL(file, folder));
  if (!(name in shots)) {
    const [file = folder] = files;
    const text = await drawn(name);
    const isNew = !existsSync(file) || readFileSync(file, 'utf8') !== text;
    writeFileSync(file, text);
    return isNew;
  }
  return lookAt(await openBrowser(), name, async ({ digest, take }) => {
    if (keptDigests()[name] === digest && files.every((file) => existsSync(file))) return false;
    const { light, dark } = await take();
    [light, dark].forEach((png, index) => {
      writeFileSync(files[index] ?? folder, png);
    });
    const digests = Object.entries({ ...keptDigests(), [name]: digest }).filter(([each]) => each in shots);
    writeFileSync(digestsFile, `${JSON.stringify(Object.fromEntries(digests.sort()), null, 2)}\n`);
    return true;
  });
}
