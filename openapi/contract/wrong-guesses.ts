import { loadOwnYaml } from './own-files.ts';

/** What a wrong guess at an open point does to a client, from 3, the worst, to 1. */
export const prices = {
  1: 'is a nuisance',
  2: 'shows something wrong, or repeats a request',
  3: 'breaks the client',
} as const;

/** What a wrong guess at an open point costs. */
export interface WrongGuess {
  cost: keyof typeof prices;
  /** What happens to a client that guesses wrong, in a sentence. */
  breaks: string;
}

/** The costs by the ids of the open points. They stand beside the questions, in `docs/questions.yaml`, and nowhere else. */
export function loadWrongGuesses(): Readonly<Record<string, WrongGuess>> {
  return loadOwnYaml('docs/questions.yaml') as Record<string, WrongGuess>;
}
