import { differingChoices, type Profile } from '../../../openapi/contract/profile.ts';
import { Engine } from '../../engine/engine.ts';
import { MockClock } from '../../engine/mock-clock.ts';
import { Repetition } from '../../engine/repeat-changes.ts';
import { type EngineOptions, rulesOf } from '../../workbench/settings.ts';
import { StartError } from '../../workbench/start-error.ts';
import { KeptState } from './kept-state.ts';
import { type OpenState, openState, type SavedState } from './open-state.ts';

export { closeState } from './open-state.ts';

/** The state file with this name. Throws a {@link StartError}. */
export async function openStateOf(name: string): Promise<OpenState> {
  if (name === '') throw new StartError('OPTION_INVALID', 'state must be the name of a file; it is empty.');
  return openState(name);
}

/**
 * The engine that goes on with a saved state. The state has its own seed, random seed and start of the clock. The options
 * say which profile is played, except for the choices that were changed while a mock ran. Throws a {@link StartError}.
 */
export function continueEngine(name: string, saved: SavedState, options: EngineOptions, asked: Profile): Engine {
  const engine = engineOf(saved, options);
  try {
    const repetition = new Repetition(engine, saved.head);
    for (const change of saved.changes) repetition.repeat(change);
  } catch (error) {
    const { writtenBy } = saved.head;
    const remedy = `It was written by version ${writtenBy}: start that one, or choose another file.`;
    throw new StartError('STATE_INVALID', `${name} does not fit this version. ${remedy}`, { cause: error });
  }
  const played = { ...asked, ...differingChoices(saved.head.askedProfile, saved.head.profile) };
  if (Object.keys(differingChoices(saved.head.profile, played)).length > 0) engine.play(played);
  return engine;
}

function engineOf({ head }: SavedState, options: EngineOptions): Engine {
  const { seed, randomSeed, startedAtMs, profile, clock } = head;
  const runtime = { profile, clock: new MockClock(clock.startMs), randomSeed, startedAtMs };
  return new Engine(runtime, seed, rulesOf(options));
}

/** Keeps the state of an engine in the file. `onLost` is called when that is no longer possible. */
export function keepState(
  engine: Engine,
  open: OpenState,
  asked: Profile,
  onLost: (error: StartError) => void,
): KeptState {
  const kept = new KeptState(engine, open, asked, onLost);
  const { head } = open.saved ?? {};
  // Else the file is made again with what is asked for now.
  const isAskedStill = head !== undefined && Object.keys(differingChoices(head.askedProfile, asked)).length === 0;
  if (isAskedStill) kept.goOn();
  return kept;
}
