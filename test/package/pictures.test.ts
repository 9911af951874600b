import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagrams, drawn, filesOf, keptDigests, names } from '../../docs/make-pictures/pictures.ts';
import { recordings } from '../../docs/make-pictures/recordings.ts';
import { lookAt, shots } from '../../docs/make-pictures/screenshots.ts';
import { noBrowser, sharedBrowser } from '../support/browser.ts';
import { hasJustRun, isFull } from '../support/depth.ts';

// The pictures of the documents, in docs/pictures. The quick run looks at no page, and at no run of vary or of the suite.

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'docs/pictures');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const stale = (name: string) => `${filesOf(name).join(' and ')}: stale. npm run pictures -- ${name}`;

describe.skipIf(hasJustRun)('the pictures', () => {
  it('are those that npm run pictures makes, each of at most 150 kB', () => {
    const files = names.flatMap(filesOf);
    expect(readdirSync(folder).sort()).toEqual([...files, 'digests.json'].sort());
    expect(files.filter((file) => statSync(join(folder, file)).size > 150_000)).toEqual([]);
  });

  it('are not in the package', () => {
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(files).toEqual(['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'dist', 'docs/*.md', 'examples']);
  });

  it.each(diagrams)('%s.svg is what its source says', async (name) => {
    expect(await drawn(name), stale(name)).toBe(read(`${name}.svg`));
  });

  it.each(names.flatMap(filesOf).filter((file) => file.endsWith('.svg')))(
    '%s has a title and a description',
    (file) => {
      expect(read(file)).toMatch(/<title id="title">[^<]+<\/title>\n<desc id="desc">[^<]+<\/desc>/);
    },
  );

  it('name only folders that exist', () => {
    const named = diagrams.flatMap((name) => [...read(`${name}.svg`).matchAll(/"soft code"[^>]*>([^<]+)</g)]);
    const paths = named.map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(8);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

const isQuick = (name: string) => name === 'terminal-mock';

describe.each(Object.keys(recordings))('%s.svg', (name) => {
  it.runIf(isFull ? !(hasJustRun && isQuick(name)) : isQuick(name))('shows what the commands print', async () => {
    expect(await drawn(name), stale(name)).toBe(read(`${name}.svg`));
  });
});

describe('the screenshots', () => {
  it.runIf(isFull).concurrent.for(Object.keys(shots))(
    '%s shows what the page shows',
    async (name, { expect, skip }) => {
      const browser = (await sharedBrowser()) ?? skip(noBrowser);
      const digest = await lookAt(browser, name, (seen) => seen.digest);
      expect(digest, stale(name)).toBe(keptDigests()[name]);
    },
  );
});
