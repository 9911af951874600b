/**
 * Lets the model of the specification (`openapi/model/`) judge the runs of the suite: `npm run shadow`. Prints what the model
 * says of legal servers, which must be nothing; which faulty servers it finds although the suite does not; and how many both
 * find. `--kinds legal,odd,mutant,catalogue-first` chooses servers, `--part 2/8` takes every eighth of them from the second on,
 * `--only <pattern>` those whose names match it, with all findings and their exchanges.
 */
import { parseArgs } from 'node:util';
import useTemporaryFolder from '../../test/support/temporary-folder.ts';
import { type CatalogueName, catalogues } from '../held-out/catalogue.ts';
import { heldOutJobs, type Job, jobsOf } from '../power/jobs.ts';
import { toFigures } from './figures.ts';
import { runShadow, type Shadow } from './run.ts';

/** So many runs wait for each other: a run waits now and then. */
const lanes = 3;

function jobsFor(kinds: readonly string[]): Job[] {
  const power = jobsOf().filter(({ kind, mode }) => kinds.includes(kind) && mode === 'write');
  const names = (Object.keys(catalogues) as CatalogueName[]).filter((name) => kinds.includes(`catalogue-${name}`));
  return [...power, ...names.flatMap(heldOutJobs)];
}

/** Every server of a part; the bases of the catalogues are in each. */
function partOf(jobs: readonly Job[], part: string): Job[] {
  const [number = 0, count = 0] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(part)?.slice(1).map(Number) ?? [];
  if (number === 0 || number > count)
    throw new Error(`--part takes a part and their number, such as 2/4, and not ${part}.`);
  return jobs.filter(
    ({ kind, id }, index) => index % count === number - 1 || (kind === 'heldOut' && id.endsWith('/base')),
  );
}

async function runAll(jobs: readonly Job[], isVerbose: boolean): Promise<Shadow[]> {
  const queue = [...jobs];
  const results: Shadow[] = [];
  const lane = async () => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      const result = await runShadow(job, isVerbose);
      results.push(result);
      console.error(`${results.length} of ${jobs.length}: ${job.kind} ${job.id}, ${result.findings.length} findings`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

const { values } = parseArgs({
  options: {
    kinds: { type: 'string', default: 'legal,odd,second,mutant,catalogue-first,catalogue-second' },
    ...{ part: { type: 'string', default: '1/1' }, only: { type: 'string' } },
  },
});
const { kinds, part, only } = values;
const removeTemporaryFolder = useTemporaryFolder();
try {
  const jobs = partOf(jobsFor(kinds.split(',')), part).filter(
    ({ id }) => only === undefined || new RegExp(only).test(id),
  );
  const { text, alarms } = toFigures(await runAll(jobs, only !== undefined));
  console.log(text);
  process.exitCode = alarms === 0 ? 0 : 1;
} finally {
  removeTemporaryFolder();
}
