/** One way to break the path rule. */
export interface IllegalPath {
  /** The last part of the check's id. */
  rule: string;
  does: string;
  /** The illegal paths for a directory that exists (empty for the root) and a new name. */
  paths(directory: string, name: string): string[];
  /** Whether the paths are percent-encoded in an unusual way, so that a query carries them verbatim. */
  isRawQuery?: boolean;
}

/** The hand-picked ways to break the path rule (4.6, 4.7). */
export const illegalPaths: readonly IllegalPath[] = [
  {
    rule: 'path-without-slash',
    does: 'a path that does not start with a slash',
    // A blank or a line before the slash must not be taken away first.
    paths: (directory, name) => [
      `${directory}/${name}`.slice(1),
      `./${name}`,
      `\\${name}`,
      ` ${directory}/${name}`,
      `\t${directory}/${name}`,
      `x\n${directory}/${name}`,
    ],
  },
  { rule: 'path-empty', does: 'an empty path, or a blank one', paths: () => ['', ' '] },
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
  { rule: 'dot-dot-segment.only', does: 'the path /.., which the stated pattern accepts', paths: () => ['/..'] },
  {
    rule: 'dot-dot-segment.first',
    does: 'a .. segment right at the start, which the stated pattern accepts',
    paths: (directory, name) => [`/../${name}`, `/..${directory}/${name}`, `/../`, `//../${name}`, `/./../${name}`],
  },
  {
    rule: 'dot-dot-segment.behind-names',
    does: 'a .. segment behind a name with dots, which is legal itself',
    paths: (directory, name) => [
      `${directory}/${name}../../x`,
      `/a..b/../${name}`,
      `/..a/../${name}`,
      `${directory}/.../../${name}`,
    ],
  },
  {
    rule: 'dot-dot-segment.after-line-break',
    does: 'a .. segment after a line break',
    paths: (directory, name) => [
      `${directory}/${name}\n/../x`,
      `${directory}/${name}\r\n/..`,
      `${directory}/${name}\r/../x`,
      `${directory}/${name}\u2028/../x`,
    ],
  },
  {
    rule: 'dot-dot-segment.deep',
    does: 'a .. segment behind many others',
    paths: (directory, name) => [
      `${directory}/a/b/c/d/e/f/../${name}`,
      `${directory}/${'d/'.repeat(30)}..`,
      `${directory}/${'d/'.repeat(12)}../${name}`,
    ],
  },
  {
    rule: 'dot-dot-segment.long',
    does: 'a .. segment in a path of more than 300 characters',
    // Few long segments and many short ones: a target may measure either.
    paths: (directory, name) => [
      `${directory}/${'long-segment/'.repeat(24)}../${name}`,
      `${directory}/${`${'l'.repeat(160)}/`.repeat(2)}../${name}`,
      `/../${'long-segment/'.repeat(24)}${name}`,
    ],
  },
];

const mostForEffects = 3;

/** The paths with which a check looks for effects: a few of each way, since every one is judged by its answer too. */
export function forEffects({ paths }: IllegalPath, directory: string, name: string): string[] {
  return paths(directory, name).slice(0, mostForEffects);
}

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

/** Paths whose dots form no `..` segment. */
export const legalDots: readonly { rule: string; does: string; paths(name: string): string[] }[] = [
  { rule: 'legal-dots.inside', does: 'two dots inside a name', paths: (name) => [`/${name}..b`, `/a..${name}`] },
  { rule: 'legal-dots.leading', does: 'two dots at the start of a name', paths: (name) => [`/..${name}`] },
  { rule: 'legal-dots.three', does: 'a segment of three dots', paths: (name) => [`/.../${name}`] },
  {
    rule: 'legal-dots.percent-encoded',
    does: 'a segment %2e%2e, which is an ordinary name in a body',
    paths: (name) => [`/%2e%2e/${name}`],
  },
];

/** The same path without dots below the directory: a target that refuses it too does not refuse the dots. */
export function plainTwin(path: string, directory: string): string {
  const start = path.startsWith(`${directory}/`) ? directory : '';
  return start + path.slice(start.length).replaceAll(/%2e/gi, '%41').replaceAll('.', 'x');
}
