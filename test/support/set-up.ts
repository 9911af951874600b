import fc from 'fast-check';
import { depth, randomSeed } from './depth.ts';

// Runs before each file: generated input depends on the run's random seed, and the quick run has less of it.
fc.configureGlobal({ seed: randomSeed, numRuns: depth(30, 100) });
