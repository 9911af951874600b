import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

const usage = 'Usage: npm start -- [--processes <number>] [--port <number>] [--state <folder>]';
const known = { processes: { type: 'string' }, port: { type: 'string' }, state: { type: 'string' } };

/** The options of the command line; ends the process where they are wrong. */
export function readOptions() {
  try {
    const { processes, port, state } = parseArgs({ options: known }).values;
    return {
      processes: toNumber('processes', processes ?? String(availableParallelism()), 64),
      port: toNumber('port', port ?? '4010', 65_535),
      ...(state && { state: resolve(state) }),
    };
  } catch (error) {
    console.error(`${error.message}\n${usage}`);
    process.exit(2);
  }
}

function toNumber(name, text, most) {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new Error(`--${name} must be a whole number from 1 to ${most}, not ${JSON.stringify(text)}.`);
}
