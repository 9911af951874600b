// The values that steps may send: each is legal, and careless code changes it or trips over it.
import { largestPage } from '../../openapi/reading/pages.ts';
import { hardTexts, letterTexts, oddTexts, oddUrls, unusualTexts } from '../probing/names.ts';

const texts: readonly string[] = [...oddTexts, ...unusualTexts, ...Object.values(letterTexts)].map(({ text }) => text);

/** What may follow a new name. Which names a server accepts is open; those that it accepts it keeps. */
export const nameEnds: readonly string[] = [
  '',
  ...texts,
  hardTexts['more-than-255'],
  ' (2)',
  '-0',
  '.json',
  '%2F',
  '$1',
];

/** What may follow a new name in the last segment of a path. */
export const segmentEnds: readonly string[] = [
  '',
  ...texts.map((text) => text.replaceAll('/', '')),
  ...['.tar', '...x', '..x', '%2e%2e', '%2F', '#x', '?x=1', '&x', '{id}', '-', '$1', "'--"],
];

/** What may follow the name of a directory, so that it is another one beside it. */
export const neighbourEnds: readonly string[] = ['x', '-2', '_', '%', '.x', '+', '%2F', '*', '[0-9]', '~1'];

/** URLs for MCP servers, without those that a new name makes. */
export const urls: readonly string[] = oddUrls.map(({ url }) => url);

/** Queries of a list of drives; some must be refused, or give no more than is legal. */
export const pages: readonly string[] = [
  ...['', 'limit=1', 'limit=2', 'limit=3&offset=1', 'limit=10', 'limit=11', 'limit=50&offset=2', 'limit=99'],
  ...['limit=100', 'limit=100&offset=0', 'offset=1', 'offset=1000', 'limit=100&offset=9007199254740991'],
];

/** Queries that are out of range or no integers. */
export const illegalPages: readonly string[] = [
  'limit=0',
  `limit=${largestPage + 1}`,
  'limit=-1',
  'limit=x',
  'offset=-1',
  'limit=1.5',
];

/** Illegal paths in a directory, for a new name. Whatever a server makes of them is below the directory. */
export const illegalPathsIn = (directory: string, name: string): readonly string[] => [
  `${directory}/x/../${name}`,
  `${directory}/${name}/..`,
  `${directory.slice(1)}/${name}`,
  ` ${directory}/${name}`,
  `${directory}/../${directory.slice(1)}/${name}`,
];
