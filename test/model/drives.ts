import assert from 'node:assert/strict';
import { fieldsOf } from './body-rules.ts';
import { pagingOf } from './input-rules.ts';
import { afterThisCall } from './lag.ts';
import { assertOrder, markSeen, pageFault, possibleLists } from './lists.ts';
import type { Outcome } from './outcome.ts';
import { createdNow, type DriveState, meetId } from './picture.ts';
import type { Expectation, Scene } from './scene.ts';
import { now } from './seed.ts';
import { compare, driveView, timestamp } from './views.ts';

export const createDrive: Expectation = {
  outcomes: (scene) => creationOutcomes(scene, scene.organization.drives),
  succeeded: (scene, body) => {
    const { organization, profile } = scene;
    const created = newcomer(scene, body as { id: unknown; name: string });
    const drive: DriveState = { ...created, files: [], gone: [], mayBeTouched: false };
    compare(body, driveView(drive, profile), 'drive', profile);
    organization.drives.push(drive);
  },
};

/** The outcomes of a creation beside those of the same kind that are there. */
export function creationOutcomes({ call, profile }: Scene, others: readonly { name: string }[]): Outcome[] {
  const { name } = fieldsOf(call, profile);
  const isTaken = profile['duplicates.names'] === 'refused' && others.some((other) => other.name === name);
  return [isTaken ? 'conflict' : 'success'];
}

/** What a drive and an MCP server have in common when they are new. A name that was not sent is made up. */
export function newcomer(scene: Scene, shown: { id: unknown; name: string }) {
  const { call, organization, picture, profile } = scene;
  const { name = shown.name } = fieldsOf(call, profile);
  const since = profile.readAfterWrite === 'lagging' ? afterThisCall(organization) : undefined;
  return { id: meetId(shown.id, picture), organizationId: organization.id, name, ...createdNow, since };
}

interface DrivePage {
  data: { id: string; name: string; updatedAt: string }[];
  pagination: { limit: number; offset: number; total: number };
}

export const listDrives: Expectation = {
  outcomes: () => ['success'],
  succeeded: (scene, body) => {
    const { organization, profile } = scene;
    const { data, pagination } = body as DrivePage;
    const whole = wholeList(scene, body as DrivePage);
    compare(body, { data, pagination }, 'page', profile);
    compare(pagination, paginationView(scene, data.length, whole.length, pagination.limit), 'pagination', profile);
    assertOrder(data, { whole, ...windowOf(scene, whole) }, organization.orders.drives, profile);
    assertDrives(scene, data);
  },
};

function wholeList(scene: Scene, { data, pagination }: DrivePage): DriveState[] {
  const { organization, profile } = scene;
  const ids = data.map(({ id }) => id);
  const faults: string[] = [];
  for (const whole of possibleLists(organization.drives, organization)) {
    const total = profile.totalMeaning === 'all' ? whole.length : data.length;
    const fault = pageFault(ids, { whole, ...windowOf(scene, whole) }, profile);
    const hasTotal = profile.paginationFields === 'all';
    if (fault === undefined && (!hasTotal || pagination.total === total)) return whole;
    faults.push(fault ?? `expected a total of ${total}`);
  }
  return assert.fail(`shown: ${ids}, total ${pagination.total}; ${faults.join('; or ')}`);
}

function windowOf({ call, profile }: Scene, whole: readonly unknown[]): { offset: number; limit: number } {
  const limit = pagingOf(call, 'limit', profile);
  return { offset: Number(pagingOf(call, 'offset', profile)), limit: limit === 'all' ? whole.length : limit };
}

// Which limit is shown when the default is every drive that is left, is not said.
function paginationView({ call, profile }: Scene, shown: number, all: number, shownLimit: number) {
  const limit = pagingOf(call, 'limit', profile);
  const total = profile.totalMeaning === 'all' ? all : shown;
  if (profile.paginationFields === 'none') return {};
  const page = { limit: limit === 'all' ? shownLimit : limit, offset: pagingOf(call, 'offset', profile) };
  return profile.paginationFields === 'all' ? { ...page, total } : page;
}

function assertDrives({ organization, profile }: Scene, data: DrivePage['data']): void {
  for (const shown of data) {
    const drive = organization.drives.find(({ id }) => id === shown.id) as DriveState;
    if (drive.mayBeTouched && shown.updatedAt === timestamp(now, profile)) drive.updatedAt = now;
    compare(shown, driveView(drive, profile), 'drive', profile);
  }
  markSeen(
    organization.drives,
    data.map(({ id }) => id),
  );
}
