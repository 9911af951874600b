import { defineOptions, inGroup } from '../../lib/options.ts';

/** The levels of the log, from the most detailed. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
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
  }),
);

/** For commands that print a report. */
export const colorOption = defineOptions({
  color: { kind: 'switch', sets: false, help: 'Turn off colours. Setting NO_COLOR does the same' },
});

/** The options that write a report to files. */
export const reportOptions = (formats: string, folder: string) =>
  defineOptions({
    json: { kind: 'text', placeholder: '<file>', isCommon: true, help: 'Write the whole report as JSON' },
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
      help: 'Folder for --report, created if needed',
    },
  });
