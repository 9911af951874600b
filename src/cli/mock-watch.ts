import { plural } from '../../lib/text.ts';
import { differingChoices } from '../../openapi/contract/profile.ts';
import { storedPoints } from '../../openapi/points/index.ts';
import { loadSeed } from '../node/load-settings.ts';
import { loadInUse, type MockOptions } from '../node/mock/create-mock.ts';
import type { Mock } from '../node/mock/mock-handle.ts';
import { StartError } from '../workbench/start-error.ts';
import type { Log } from './log.ts';
import { UsageError } from './read-options.ts';
import { digestOf, watchFile } from './watch-file.ts';

/** A file named in the options, and what to do when it changes. Returns what to log about it. */
interface Reloadable {
  readonly file: string;
  readonly digest: string | undefined;
  reload(mock: Mock): string;
}

/** The files named in the options, before the mock reads them. Throws a {@link UsageError} if there are none. */
export function reloadablesOf(options: MockOptions): Reloadable[] {
  const { seed, profile } = options;
  const ofSeed = (file: string) => ({ file, digest: digestOf(file), reload: (mock: Mock) => reseed(mock, file) });
  const ofProfile = (file: string) => ({ file, digest: digestOf(file), reload: (mock: Mock) => replay(mock, options) });
  const found = [
    ...(typeof seed === 'string' && seed !== 'demo' ? [ofSeed(seed)] : []),
    ...(typeof profile === 'string' ? [ofProfile(profile)] : []),
  ];
  if (found.length > 0) return found;
  throw new UsageError('--watch needs a file to watch: --seed <file>, --profile <file> or both.');
}

/** Reloads files when they change, until the signal is aborted. A file with errors changes nothing. */
export function watchReloadables(files: readonly Reloadable[], mock: Mock, log: Log, signal: AbortSignal): void {
  for (const { file, digest, reload } of files) {
    const note = (level: 'info' | 'warn' | 'error', message: string) => log.note(level, message, { file });
    const changed = () => {
      try {
        note('info', `${file} changed. ${reload(mock)}`);
      } catch (error) {
        if (!(error instanceof StartError)) return log.unexpected(error);
        note('error', `${error.message}\nThe mock keeps using what it read before.`);
      }
    };
    const gone = () => note('warn', `${file} is gone. The mock keeps using what it read before.`);
    const failed = ({ message }: Error) => note('warn', `${file} can no longer be watched: ${message}.`);
    watchFile(file, digest, { changed, gone, failed }, signal);
  }
}

/** Applies the profile of the options again. */
function replay(mock: Mock, options: MockOptions): string {
  const { engine } = mock;
  const { profile: before, randomSeed } = engine.runtime;
  const profile = loadInUse(options, randomSeed);
  const differing = differingChoices(before, profile);
  const names = Object.keys(differing);
  if (names.length === 0) return 'No choice changed.';
  mock.setProfile(differing);
  const choices = Object.entries(differing).map(([id, choice]) => `${id}=${choice}`);
  const own = engine.store.sandboxes.filter(({ ownProfile }) => ownProfile !== undefined).length;
  const late = names.filter((id) => [...storedPoints].some((one) => one === id));
  return [
    `Now in use: ${choices.join(', ')}. The state is kept.`,
    ...(late.length === 0 ? [] : [`${late.join(', ')} affects only new data until a reset.`]),
    ...(own === 0 ? [] : [`Unchanged: ${plural(own, 'organization')} with a separate profile.`]),
  ].join(' ');
}

/** Reads the seed from the file again. */
function reseed({ engine, adminUrl }: Mock, file: string): string {
  const { renewed, kept, deleted } = engine.reseed(loadSeed(file));
  const resetAll = adminUrl === undefined ? 'Restart the mock' : `POST ${adminUrl}/reset`;
  const reset = adminUrl === undefined ? resetAll : `${resetAll}?organization=<id or name>`;
  return [
    renewed.length === 0 ? 'No organization uses the new seed yet.' : `Now on the new seed: ${listed(renewed)}.`,
    ...(kept.length === 0
      ? []
      : [`State kept, because it was changed: ${listed(kept)}. ${reset} to apply the new seed there too.`]),
    ...(deleted.length === 0 ? [] : [`Still deleted: ${listed(deleted)}. ${resetAll} to restore the whole seed.`]),
  ].join(' ');
}

const mostListed = 5;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostListed).join(', ');
  return names.length > mostListed ? `${shown} and ${names.length - mostListed} more` : shown;
}
