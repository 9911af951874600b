import { withoutLinks } from '../../openapi/contract/described-open-points.ts';
import { loadDocument } from '../../openapi/contract/load.ts';
import { documentWriters, profileDocument } from '../../openapi/contract/profile-document.ts';
import { loadProfile } from '../http/load-settings.ts';
import { contractFlags } from '../options/contract-options.ts';
import { findUnwritable, inputsOf, writeAll } from './output-files.ts';
import { parseChoices } from './parse-choices.ts';
import { readOptions, UsageError } from './read-options.ts';
import type { Terminal } from './terminal.ts';

/** `agent-platform-contract contract`: writes the contract under a profile. Returns the exit code. */
export async function runContract(args: readonly string[], terminal: Terminal): Promise<number> {
  const {
    profile,
    set,
    stated,
    output,
    format = output?.toLowerCase().endsWith('.json') ? 'json' : contractFlags.format.default,
  } = readOptions(contractFlags, args, terminal);
  const toDocument = () => profileDocument(loadProfile(profile, parseChoices('set', set)));
  const text = documentWriters[format](stated === true ? withoutLinks(loadDocument()) : toDocument());
  if (output === undefined) terminal.write(text);
  else writeTo(output, text, profile);
  // npm prints its own lines before the document, which goes to a file or pipe.
  const { npm_lifecycle_event: event, npm_config_loglevel: level } = terminal.environment;
  const hasBanner = event === 'contract' && !terminal.isInteractive && level !== 'silent';
  if (output === undefined && hasBanner) terminal.complain(bannerOfNpm);
  return 0;
}

const bannerOfNpm =
  'npm printed its own lines before the document. Use npm run --silent contract, or -- --output <file>.';

function writeTo(path: string, text: string, profile: string | undefined): void {
  const outputs = [{ option: '--output', path, write: () => text }];
  const problem =
    findUnwritable(outputs, inputsOf({ '--profile': profile })) ?? writeAll(outputs, undefined).problems[0];
  if (problem !== undefined) throw new UsageError(problem);
}
