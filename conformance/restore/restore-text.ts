import { columns, oneLine, type Paint, painter, plural } from '../../reporting/text.ts';
import type { MovedFiles } from './moved-files.ts';
import type { RestoredFile, RestoredState } from './restore.ts';

const words = { home: 'home already', moved: 'moved home', gone: 'gone', stuck: 'cannot be moved' } as const;
const formats = { home: 'green', moved: 'green', gone: 'red', stuck: 'red' } as const;

/** What became of each file, and how many are home. */
export function describeRestored(
  files: readonly RestoredFile[],
  { baseUrl }: Pick<MovedFiles, 'baseUrl'>,
  { color }: { color: boolean },
): string {
  const paint = painter(color);
  const home = files.filter(isHome).length;
  return [
    `${plural(files.length, 'file')} to move home on ${oneLine(baseUrl)}`,
    ...(files.length === 0 ? [] : ['', ...columns(files.map((file) => row(file, paint)))]),
    '',
    files.length === home
      ? 'All files are home.'
      : `${files.length - home} of ${plural(files.length, 'file')} not home.`,
    '',
  ].join('\n');
}

/** Whether a file is where the run found it. */
export function isHome({ state }: { state: RestoredState }): boolean {
  return state === 'home' || state === 'moved';
}

function row({ id, driveId, home, state, note }: RestoredFile, paint: Paint): string[] {
  const why = note === '' ? '' : `: ${oneLine(note)}`;
  return [paint(formats[state], words[state]), oneLine(`${id} in drive ${driveId}`), `${oneLine(home)}${why}`];
}
