/** A path that breaks the rule, in one way, and the twin without that one thing. */
export interface IllegalPath {
  /** The last part of the check's id. */
  rule: string;
  does: string;
  /** The illegal paths for a directory that exists (empty for the root) and a name that is new. */
  paths(directory: string, name: string): string[];
  /** Sent to the letter in a query, where it is percent-encoded in an unusual way. */
  isRawQuery?: boolean;
}

/** The hand-picked ways to break the path rule (4.6, 4.7). */
export const illegalPaths: readonly IllegalPath[] = [
  {
    rule: 'path-without-slash',
    does: 'a path that does not start with a slash',
    paths: (directory, name) => [`${directory}/${name}`.slice(1), `./${name}`, `\\${name}`],
  },
  { rule: 'path-empty', does: 'an empty path', paths: () => [''] },
  {
    rule: 'dot-dot-segment.middle',
    does: 'a .. segment in the middle of the path',
    paths: (directory, name) => [
      `${directory}/x/../${name}`,
      `/x/y/../..${directory}/${name}`,
      `${directory}//../${name}`,
    ],
  },
  {
    rule: 'dot-dot-segment.last',
    does: 'a .. segment at the end of the path',
    paths: (directory, name) => [`${directory}/${name}/..`, `${directory}/${name}/x/..`, `${directory}/${name}/../`],
  },
  { rule: 'dot-dot-segment.only', does: 'the path /.., which the stated pattern lets through', paths: () => ['/..'] },
  {
    rule: 'dot-dot-segment.first',
    does: 'a .. segment right at the start, which the stated pattern lets through',
    paths: (directory, name) => [`/../${name}`, `/..${directory}/${name}`, `/../`],
  },
  {
    rule: 'dot-dot-segment.after-line-break',
    does: 'a .. segment behind a line break',
    paths: (directory, name) => [`${directory}/${name}\n/../x`, `${directory}/${name}\r\n/..`],
  },
];

/** The way that only a query has: the dots percent-encoded. */
export const encodedPath: IllegalPath = {
  rule: 'dot-dot-segment.percent-encoded',
  does: 'a .. segment whose dots are percent-encoded',
  isRawQuery: true,
  paths: (directory, name) => [
    `${encodeURIComponent(directory)}%2Fx%2F%2e%2E%2F${encodeURIComponent(name)}`,
    `/%2e%2e/${encodeURIComponent(name)}`,
    `/.%2e${directory}/${encodeURIComponent(name)}`,
  ],
};

/** Paths whose dots make no `..` segment. */
export const legalDots = [
  {
    rule: 'legal-dots.inside',
    does: 'two dots inside a name',
    paths: (name: string) => [`/${name}..b`, `/a..${name}`],
  },
  { rule: 'legal-dots.leading', does: 'two dots at the start of a name', paths: (name: string) => [`/..${name}`] },
  { rule: 'legal-dots.three', does: 'a segment of three dots', paths: (name: string) => [`/.../${name}`] },
] as const;

/** The same path without its dots, beyond the directory that it lies in: whoever refuses that refuses something else. */
export function plainTwin(path: string, directory: string): string {
  const start = path.startsWith(`${directory}/`) ? directory : '';
  return start + path.slice(start.length).replaceAll(/%2e/gi, '%41').replaceAll('.', 'x');
}

/** Whether a path keeps both halves of the rule: it starts with a slash, and no segment is `..`. */
export function isLegalPath(path: string): boolean {
  return path.startsWith('/') && !path.split('/').includes('..');
}
