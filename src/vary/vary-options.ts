import type { Profile } from '../../openapi/contract/profile.ts';
import type { Loudness } from '../workbench/draw-profile.ts';

/** How to search for what tests rely on. Everything but the first four may be left out. */
export interface VaryOptions {
  /** The program that runs the tests, and its arguments. */
  command: readonly string[];
  /** The environment of the tests. The address of the mock and a key are added. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Name and version of the tool, for the report. */
  tool: string;
  /** Stops the search; the report then has what was found so far. */
  signal: AbortSignal;
  /** A file with the choices of the base profile. */
  profile?: string;
  /** Choices that never change. */
  set?: Partial<Profile>;
  /** Try only the base profile with these choices. */
  only?: Partial<Profile>;
  /** Files with profiles that were learned from real servers. */
  learned?: readonly string[];
  /** A file, or `demo` (default). */
  seed?: string;
  clock?: string;
  openKeys?: boolean;
  /** Default loud. */
  loudness?: Loudness;
  /** How many profiles are drawn. Default 20. */
  runs?: number;
  /** Default 1. */
  randomSeed?: number;
  /** Failing runs in a row before a cause is reported. Default: depends on the runs so far; 3 for the base profile. */
  repeat?: number;
  /** Default 400. */
  maxRuns?: number;
  /** Default 1. */
  parallel?: number;
  /** Of one run of the tests. Default 600,000. */
  timeoutMs?: number;
}
