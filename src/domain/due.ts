import type { Task } from './deferred.ts';
import { deleteFiles } from './files.ts';
import { type Organization, showInList } from './organizations.ts';

/** Runs the tasks of an organization that are due. */
export function runDue(organization: Organization): void {
  const due = organization.deferred.takeDue(organization.runtime.clock.nowMs());
  for (const task of due) carryOut(organization, task);
}

function carryOut(organization: Organization, task: Task): void {
  if (task.kind === 'deleteFiles') deleteFiles(organization, task);
  else showInList(organization, task);
}
