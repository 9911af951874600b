/** Writes the seed that the mock holds under load, to take a profile with: `node bench/write-seed.ts > seed.json`. */
import { loadedDrives, seedOfDrives } from './seeds.ts';

console.log(JSON.stringify(seedOfDrives(loadedDrives)));
