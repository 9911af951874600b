import { expect, it } from 'vitest';
import { yaml } from '../../lib/yaml.ts';
import { loadOpenPoints } from '../../openapi/points/index.ts';
import type { OpenPoint } from '../../openapi/points/open-point.ts';
import type { Learned } from '../../openapi/reading/learned.ts';
import { choiceEntry, inOneLine, openIn, sightingOf, toLearnedYaml } from '../../openapi/reading/learned-profile.ts';

// The text of a profile file that was learned from traffic.

const pointOf = (id: string) => loadOpenPoints().find((point) => point.id === id) as OpenPoint;

const learned: Learned = {
  observed: { 'successStatus.createDrive': 202, 'pagingDefaults.limit': 7 },
  evidence: {
    'successStatus.createDrive': { count: 1, first: 'POST /drives' },
    'pagingDefaults.limit': { count: 3, first: 'GET\n/drives ' },
  },
  unclear: {
    idFormat: [
      { sighting: 'numeric', count: 1, first: 'GET /agents' },
      { sighting: { other: 'both\nkinds' }, count: 2, first: 'GET /drives' },
    ],
  },
};

it('what was learned is a profile, with what is open, what was chosen and where it was seen first', () => {
  const text = toLearnedYaml(learned, 'http://api.test', 'noon');
  expect(yaml().parse(text)).toEqual(learned.observed);
  const [title, ...entries] = text.split('\n\n');
  expect(title).toBe(
    '# Choices that http://api.test was observed to make for unspecified behaviour, up to noon.\n' +
      '# npm start -- --profile <this file> uses it.',
  );
  const means = pointOf('successStatus.createDrive').choices.find(({ value }) => value === 202)?.means;
  expect(entries).toHaveLength(3);
  expect(entries).toContain(
    `# ${openIn(pointOf('successStatus.createDrive'))} Here: ${means}.\n# Seen once, first: POST /drives\nsuccessStatus.createDrive: 202`,
  );
  // The number is none of those in the register, so nothing says what it means.
  expect(entries.map((entry) => entry.trimEnd())).toContain(
    `# ${openIn(pointOf('pagingDefaults.limit'))}\n# Seen 3 times, first: GET /drives\npagingDefaults.limit: 7`,
  );
  expect(entries.map((entry) => entry.trimEnd())).toContain(
    [
      `# ${openIn(pointOf('idFormat'))}`,
      '# idFormat: left out, because the observations are inconclusive:',
      '#   numeric (seen once, first: GET /agents)',
      '#   both kinds (seen 2 times, first: GET /drives)',
    ].join('\n'),
  );
  expect(text).toMatch(/[^\n]\n$/);
});

it('a choice has as many notes as are given', () => {
  const point = pointOf('successStatus.createDrive');
  expect(choiceEntry(point, 299)).toBe(`# ${openIn(point)}\nsuccessStatus.createDrive: 299`);
  expect(choiceEntry(point, 299, ['one', 'two'])).toBe(
    `# ${openIn(point)}\n# one\n# two\nsuccessStatus.createDrive: 299`,
  );
});

it('a sighting is told in one line', () => {
  expect(sightingOf({ sighting: 202, count: 1, first: ' POST\t/drives' })).toBe('202 (seen once, first: POST /drives)');
});

it('a text is cut after 200 characters, and what is open after its first sentence', () => {
  expect(inOneLine(`${'x'.repeat(200)} `)).toBe('x'.repeat(200));
  expect(inOneLine('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`);
  const open = '\n  The 1.5th\n  thing. And\n  more. \n';
  expect(openIn({ ...pointOf('successStatus.createDrive'), open })).toBe('The 1.5th thing.');
  expect(openIn({ ...pointOf('successStatus.createDrive'), open: 'One thing. ' })).toBe('One thing.');
});
