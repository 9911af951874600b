import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { drawDiagram } from './diagram.ts';
import { drawSequence } from './sequence.ts';
import { recordings } from './recordings.ts';
for (const name of ['overview', 'architecture', 'suite', 'proxy']) {
  const d = parse(readFileSync(new URL(`diagrams/${name}.yaml`, import.meta.url), 'utf8'));
  writeFileSync(new URL(`../pictures/${name}.svg`, import.meta.url), d.participants ? drawSequence(d) : drawDiagram(d));
}
for (const [name, record] of Object.entries(recordings)) {
  writeFileSync(new URL(`../pictures/${name}.svg`, import.meta.url), await record());
}
