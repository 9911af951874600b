import { columns, oneLine, type Paint, painter, plural } from '../../lib/text.ts';
import type { MovedFiles } from './moved-files.ts';
import type { RestoredFile, RestoredState } from './restore.ts';

const words = { back: 'already in place', moved: 'moved back', gone: 'gone', stuck: 'cannot be moved' } as const;
const formats = { back: 'green', moved: 'green', gone: 'red', stuck: 'red' } as const;

/** The result for each file, and how many are back. */
export function describeRestored(
  files: readonly RestoredFile[],
  { baseUrl }: Pick<MovedFiles, 'baseUrl'>,
  { color }: { color: boolean },
): string {
  const paint = painter(color);
  const back = files.filter(isBack).length;
  return [
    `${plural(files.length, 'file')} to move back on ${oneLine(baseUrl)}`,
    ...(files.length === 0 ? [] : ['', ...columns(files.map((file) => row(file, paint)))]),
    '',
    files.length === back
      ? 'All files are back.'
      : `${files.length - back} of ${plural(files.length, 'file')} not back.`,
    '',
  ].join('\n');
}

/** Whether a file is back where the run found it. */
export function isBack({ state }: { state: RestoredState }): boolean {
  return state === 'back' || state === 'moved';
}

function row({ id, driveId, originalPath, state, note }: RestoredFile, paint: Paint): string[] {
  const why = note === '' ? '' : `: ${oneLine(note)}`;
  return [paint(formats[state], words[state]), oneLine(`${id} in drive ${driveId}`), `${oneLine(originalPath)}${why}`];
}
