import { randomInt } from 'node:crypto';

/**
 * A shape of names for what the run creates. Which names a target accepts is open (section 2): the shapes are tried in
 * turn until one is accepted.
 */
export interface NameShape {
  /** Says what is special about it. */
  id: string;
  /** A name that no other call returns. */
  make(runId: string, count: number): string;
}

const purpose = 'of-the-agent-platform-contract';

/** The name that is tried first. It is plain and carries the run's id. */
export const usualShape: NameShape = {
  id: 'usual',
  make: (runId, count) => `conformance-${runId}-${count}`,
};

/** A name that programs may take for a number, losing its zeros. It carries digits that stand for the run's id. */
export const numberShape: NameShape = {
  id: 'a number',
  make: (runId, count) => `00${digitsOf(runId)}${count}`,
};

/** Whether a name is one of this run in the usual shape, with nothing odd about it. */
export function isUsual(name: unknown, runId: string): boolean {
  const [, count] = /-(\d+)$/.exec(String(name)) ?? [];
  return count !== undefined && usualShape.make(runId, Number(count)) === name;
}

/** The shapes to try if the usual name is refused. Each carries the run's id, or the letters that stand for it. */
export const otherShapes: readonly NameShape[] = [
  { id: 'short, letters only', make: (runId, count) => `Run${lettersOf(runId)}${toLetters(String(count))}` },
  { id: 'short, small letters only', make: (runId, count) => `run${lettersOf(runId)}${toLetters(String(count))}` },
  { id: 'long', make: (runId, count) => `conformance-${runId}-${count}-${purpose}` },
  {
    id: 'long, letters only',
    make: (runId, count) => {
      const words = `conformance-${purpose}`.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
      return `${words.join('')}${lettersOf(runId)}${toLetters(String(count))}`;
    },
  },
];

const mostExamples = 2;

/** The shapes of names in a list, with different letters and digits. They do not carry the run's id. */
export function shapesLike(names: readonly string[]): NameShape[] {
  return names.slice(0, mostExamples).flatMap((name) => [
    { id: `like ${name}`, make: () => drawnLike(name) },
    { id: `like the end of ${name}`, make: () => keptHalf(name) + drawnLike(name.slice(keptHalf(name).length)) },
  ]);
}

// Names may have to start in a certain way.
function keptHalf(name: string): string {
  return name.slice(0, Math.floor(name.length / 2));
}

function drawnLike(text: string): string {
  return text
    .replaceAll(/[a-z]/g, () => letterFrom('a'))
    .replaceAll(/[A-Z]/g, () => letterFrom('A'))
    .replaceAll(/[0-9]/g, () => String(randomInt(10)));
}

function letterFrom(first: string): string {
  return String.fromCharCode(first.charCodeAt(0) + randomInt(26));
}

/** How a name carries the run's id: the id itself, the letters or digits that stand for it, or nothing. */
export function markIn(name: string, runId: string): string | undefined {
  return [runId, lettersOf(runId), digitsOf(runId)].find((mark) => name.includes(mark));
}

/** The letters that stand for the run's id where names have no digits. */
function lettersOf(runId: string): string {
  return toLetters(hexadecimalIn(runId));
}

/** The digits that stand for the run's id where names have no letters. */
function digitsOf(runId: string): string {
  return String(Number.parseInt(hexadecimalIn(runId), 16)).padStart(10, '0');
}

function hexadecimalIn(runId: string): string {
  return runId.slice(runId.indexOf('-') + 1);
}

// None of them is a hexadecimal digit, so that no word in the other names looks like an id.
const letters = 'ghijklmnopqrstuv';

function toLetters(digits: string): string {
  return Array.from(digits, (digit) => letters.charAt(Number.parseInt(digit, 16))).join('');
}
