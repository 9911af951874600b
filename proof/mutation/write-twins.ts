/** Writes the twins in JSON of the files in YAML, which the built package has too, into the copy that Stryker works on. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';

for (const file of globSync('{openapi,src}/**/*.yaml')) {
  writeFileSync(`${file}.json`, JSON.stringify(parse(readFileSync(file, 'utf8'))));
}
