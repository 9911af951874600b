import { describe, expect, it } from 'vitest';
import { expectProblem, startControlled } from '../support/control.ts';
import { depth } from '../support/depth.ts';
import { sendRaw } from '../support/raw-http.ts';

// Input that is large and wrong costs no more than input that is large and right.

describe('the admin API', () => {
  it('refuses a large snapshot without listing all that is wrong with it', async () => {
    const { mock, control } = await startControlled();
    const snapshot = mock.snapshot();
    const [organization] = snapshot.organizations;
    const [drive] = organization?.drives ?? [];
    const [file] = drive?.files ?? [];
    const wrong = Array.from({ length: 20_000 }, (_, count) => ({
      ...file,
      id: `f-${count}`,
      path: `/${count}`,
      sizeBytes: -1,
    }));
    Object.assign(drive ?? {}, { files: wrong });
    const reply = await control('PUT', '/snapshot', { json: snapshot });
    expectProblem(reply, 422, /sizeBytes must be >= 0; and at least 1\d{3} more/);
    expect(reply.text.length).toBeLessThan(10_000);
    const twice = wrong.map((one) => ({ ...one, id: 'same', sizeBytes: 0 }));
    Object.assign(drive ?? {}, { files: twice });
    const doubled = await control('PUT', '/snapshot', { json: snapshot });
    expectProblem(doubled, 422, /and at least 1[89]\d{3} more/);
    expect(doubled.body.validation).toHaveLength(1_000);
  });

  // Two by two, 100,000 ids would take ten minutes.
  it('restores a large snapshot, and finds an id that is in a list twice', async () => {
    const many = depth(20_000, 100_000);
    const { mock, control } = await startControlled();
    const snapshot = mock.snapshot();
    const [organization] = snapshot.organizations;
    const [drive] = organization?.drives ?? [];
    if (organization === undefined || drive === undefined) throw new Error('The seed has no drive.');
    const drives = Array.from({ length: many + 1_000 }, (_, index) => ({ ...drive, id: `d-${index}`, files: [] }));
    const ids = drives.map(({ id }) => id);
    const tasks = ids.slice(0, 1_000).map((id) => ({ dueCall: 9, dueMs: 9, task: { kind: 'listDrive' as const, id } }));
    Object.assign(organization, { drives, deferred: { ...organization.deferred, tasks } });
    organization.listed.drives = ids.slice(1_000);
    const { status } = await control('PUT', '/snapshot', { json: snapshot });
    expect(status).toBe(200);
    organization.listed.drives = [...ids.slice(1_000), `d-${many / 2}`];
    expectProblem(await control('PUT', '/snapshot', { json: snapshot }), 422, /must not contain duplicate items/);
    organization.listed.drives = [...ids, 'nothing'];
    expectProblem(await control('PUT', '/snapshot', { json: snapshot }), 422, /is already in its list.*and 1 more/);
  });

  it('refuses a body of more than 64 MB before it comes', async () => {
    const { mock } = await startControlled();
    const { host } = new URL(mock.url);
    const lines = [`Host: ${host}`, 'Content-Type: application/json', `Content-Length: ${2 ** 26 + 1}`];
    const answer = await sendRaw(mock.url, { method: 'PUT', target: '/__admin/snapshot', lines, hasOwnHost: true });
    expect(answer.status).toBe(413);
  });
});
