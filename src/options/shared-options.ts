/*
 * Options that several commands share. Each command has a file of its own here: its options with their defaults, bounds,
 * help and, where the text of a value has a form of its own, what parses it. Parser, types, environment variables, help
 * and documents derive from these tables. To add an option: a row in the file of its command, and its use. Import
 * nothing heavy here.
 */
import { defineOptions, inGroup, type Option } from '../../lib/options.ts';

/** For commands that print a report. */
export const colorOption = defineOptions({
  color: { kind: 'switch', sets: false, help: 'Turn off colours. Setting NO_COLOR does the same' },
});

/** For commands that serve. */
export const servingOptions = defineOptions({
  host: { kind: 'text', placeholder: '<address>', default: '127.0.0.1', isCommon: true, help: 'Address to listen on' },
  profile: {
    kind: 'file',
    isCommon: true,
    help: 'YAML or JSON file with choices for open points (unspecified behaviour). Open points that it does not name keep their defaults',
  },
  set: {
    kind: 'text',
    placeholder: '<open point>=<choice>',
    isRepeatable: true,
    nameEnd: '=',
    isCommon: true,
    help: 'Choice for one open point; overrides the profile',
  },
});

/** The port of a command. Hosts and tools set PORT. */
export function withPort<Port extends Option>(port: Port) {
  return { ...port, usualVariable: 'PORT' };
}

/** The longest time that a timer can wait. */
export const longestMs = 2 ** 31 - 1;

/** The levels of the log, from the most detailed. */
const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** For commands that serve. */
export const logOptions = defineOptions(
  inGroup('Log', {
    logFormat: {
      kind: 'text',
      values: ['pretty', 'json'],
      defaultText: 'pretty on a terminal, otherwise json',
      help: 'Readable log lines, or one JSON object per line',
    },
    logLevel: {
      kind: 'text',
      placeholder: '<level>',
      values: logLevels,
      default: 'info',
      isCommon: true,
      help: `Minimum level to log: ${logLevels.join(', ')}. Requests are logged at info`,
    },
    ...colorOption,
  }),
);

/** The options that write a report to files. */
export const reportOptions = (formats: string, folder: string) =>
  defineOptions({
    json: {
      kind: 'file',
      // The report to read.
      despite: ['failed'],
      isCommon: true,
      help: 'Write the whole report as JSON',
    },
    report: {
      kind: 'text',
      placeholder: '<list>',
      isRepeatable: true,
      isCommon: true,
      help: `Write reports to --report-dir (default: ${folder}) in these formats: ${formats}. Separate them with commas`,
    },
    reportDir: {
      kind: 'text',
      placeholder: '<dir>',
      default: folder,
      despite: ['failed'],
      help: 'Folder for --report, created if needed',
    },
  });
