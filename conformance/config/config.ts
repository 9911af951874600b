import { SuiteError } from '../suite-error.ts';
import { loadValid } from './data-files.ts';
import { type Config, configSchema, requireValid, type Settings, toSettings, violationsIn } from './settings.ts';

/** The config in a YAML or JSON file. Throws a {@link SuiteError} with line and column of each error. */
export function loadConfig(file: string): Config {
  const { $schema, ...config } = loadValid<Config & { $schema?: string }>(
    file,
    configSchema,
    'CONFIG_INVALID',
    violationsIn,
  );
  return config;
}

/** The settings of a run: flags and environment (`given`) over the config file. */
export function resolveSettings(file: Config, given: Config): Settings {
  const headers = mergedHeaders(file.headers, given.headers);
  const config = { ...file, ...given, headers, require: { ...file.require, ...given.require } };
  const { baseUrl, apiKey } = config;
  if (baseUrl !== undefined && apiKey !== undefined) return toSettings({ ...config, baseUrl, apiKey });
  requireValid(config);
  const lines = [
    ...(baseUrl === undefined
      ? ['There is no base URL: use --base-url <url>, AGENT_PLATFORM_BASE_URL, or baseUrl in the file of --config.']
      : []),
    ...(apiKey === undefined
      ? ['There is no API key: use AGENT_PLATFORM_API_KEY, apiKey in the file of --config, or --api-key <key>.']
      : []),
  ];
  throw new SuiteError('CONFIG_INVALID', lines.join('\n'));
}

// Header names are case-insensitive.
function mergedHeaders(file: Config['headers'] = {}, given: Config['headers'] = {}): Record<string, string> {
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  const others = Object.entries(file).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(others), ...given };
}
