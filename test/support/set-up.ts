import fc from 'fast-check';
import { randomSeed } from './depth.ts';

// Runs before each file: generated input depends on the random seed of the run.
fc.configureGlobal({ seed: randomSeed });
