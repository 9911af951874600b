import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The YAML and JSON files of a folder of the project. @param {string} folder */
export function dataFiles(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));
  return files.filter((file) => /\.(yaml|json)$/.test(file)).sort();
}

/** What a YAML text says, in JSON: that loads much faster. @param {string} text */
export function toJson(text) {
  return JSON.stringify(parse(text));
}

const cache = 'node_modules/.cache/agent-platform-contract';

/** Prepares the YAML of the sources for `openapi/contract/own-files.ts`, each named by its text: it is never out of date. */
export function prepareYaml() {
  mkdirSync(cache, { recursive: true });
  for (const file of ['openapi', 'src'].flatMap(dataFiles).filter((name) => name.endsWith('.yaml'))) {
    const text = readFileSync(file, 'utf8');
    const target = join(cache, `${createHash('sha256').update(text).digest('hex')}.json`);
    writeFileSync(`${target}.tmp`, toJson(text));
    renameSync(`${target}.tmp`, target);
  }
}
