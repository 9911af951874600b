/** What breaks a path: nothing, a rule of the prose, or a line terminator alone (the stated pattern refuses it). */
export type PathFault = 'noSlash' | 'dotDot' | 'lineTerminator' | undefined;

/** The rule of 4.6 by a plain split into segments, without any pattern. */
export function pathFault(path: string): PathFault {
  if (!path.startsWith('/')) return 'noSlash';
  if (path.split('/').includes('..')) return 'dotDot';
  return lineTerminators.some((terminator) => path.includes(terminator)) ? 'lineTerminator' : undefined;
}

const lineTerminators = ['\n', '\r', '\u2028', '\u2029'];
