import { deleteFiles } from './files.ts';
import { type Organization, showInList } from './organizations.ts';

export function runDue(organization: Organization): void {
  const due = organization.deferred.takeDue(organization.runtime.clock.nowMs());
  for (const task of due) {
    if (task.kind === 'deleteFiles') deleteFiles(organization, task);
    else showInList(organization, task);
  }
}
