import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { drawDiagram } from './diagram.ts';
import { drawSequence } from './sequence.ts';
for (const name of ['overview', 'architecture', 'suite', 'proxy']) {
  const d = parse(readFileSync(new URL(`diagrams/${name}.yaml`, import.meta.url), 'utf8'));
  writeFileSync(new URL(`../pictures/${name}.svg`, import.meta.url), d.participants ? drawSequence(d) : drawDiagram(d));
}
