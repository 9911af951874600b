import { describe, expect, it } from 'vitest';
import { defaultProfile, loadOpenPoints } from '../../src/index.ts';
import { runCommand, startMockHere, transcriptOf } from '../support/command.ts';
import { now } from '../support/tiny-seed.ts';

/** The first line of a log: what is used, and how to have it again. */
async function usedBy(args: readonly string[], environment: Record<string, string> = {}) {
  const mock = await startMockHere(args, environment);
  const { stdout } = await mock.stop();
  return JSON.parse(stdout.split('\n')[0] ?? '');
}

describe('agent-platform-contract mock --vary', () => {
  it('gives byte-identical answers for the same random seed and others for another', async () => {
    const transcript = (seed: string) => transcriptOf(['--clock', now, '--vary', '--random-seed', seed]);
    const [one, two, other] = [await transcript('7'), await transcript('7'), await transcript('8')];
    expect(two).toBe(one);
    expect(other).not.toBe(one);
  });

  it('logs the drawn seed, the changed choices and the command that replays them', async () => {
    const set = ['--set', 'successStatus.createDrive=207', '--admin-token', 'very-secret', '--host', '127.0.0.1'];
    const first = await usedBy(['--vary', ...set]);
    expect(first).toMatchObject({ message: 'listening', vary: 'visible', randomSeed: expect.any(Number) });
    const usual = defaultProfile(loadOpenPoints());
    expect(Object.entries(first.choices).filter(([id, choice]) => usual[id as keyof typeof usual] === choice)).toEqual(
      [],
    );
    expect(Object.keys(first.choices).length).toBeGreaterThan(15);
    expect(first.choices).not.toHaveProperty('successStatus.createDrive');
    expect(first.replay).toBe(
      `npm start -- --vary=visible --random-seed ${first.randomSeed} --set successStatus.createDrive=207 --host 127.0.0.1`,
    );
    const again = await usedBy(first.replay.split(' ').slice(3));
    expect(again).toMatchObject({ choices: first.choices, randomSeed: first.randomSeed, replay: first.replay });
  });

  it('varies no visible open points with AGENT_PLATFORM_VARY=hidden, and none without', async () => {
    const visibleOnes = loadOpenPoints().flatMap(({ id, impact }) => (impact === 'visible' ? [id] : []));
    const { vary, choices } = await usedBy([], { AGENT_PLATFORM_VARY: 'hidden', AGENT_PLATFORM_RANDOM_SEED: '3' });
    expect(vary).toBe('hidden');
    expect(Object.keys(await usedBy([]))).toEqual(['level', 'timestamp', 'url', 'page', 'randomSeed', 'message']);
    expect(Object.keys(choices).length).toBeGreaterThan(0);
    expect(Object.keys(choices).filter((id) => visibleOnes.includes(id))).toEqual([]);
  });

  it('prints the seed, the number of changed choices and the replay command in pretty format', async () => {
    const mock = await startMockHere(['--vary=hidden', '--random-seed', '3', '--log-format', 'pretty'], {
      NO_COLOR: '1',
    });
    const { stdout } = await mock.stop();
    expect(stdout).toMatch(
      /Profile drawn from random seed 3 \(only hidden open points\)\. \d choices differ from the base profile:/,
    );
    expect(stdout).toContain('Replay:    npm start -- --vary=hidden --random-seed 3 --log-format pretty\n');
  });

  it.each([
    ['a value after a space', ['--vary', 'hidden'], /Unexpected argument: word \d after .* Write --vary=hidden\./],
    ['an unknown value', ['--vary=laut'], /--vary must be one of hidden, visible; it is "laut"/],
    ['a repeated --vary', ['--vary', '--vary=hidden'], /--vary is given twice/],
  ])('refuses %s', async (_, args, message) => {
    const { code, stderr } = await runCommand(['mock', ...args]);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});
