import fc from 'fast-check';
import { randomSeed } from './depth.ts';

// Runs before each file: generated input depends on the run's random seed.
fc.configureGlobal({ seed: randomSeed });
