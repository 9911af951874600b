import type { Organization } from './organizations.ts';
import type { Counts, RecordChange, RecordKind } from './recorder.ts';

/** The counts of an organization. */
export function countsOf({ idState, deferred, isWritten }: Organization): Counts {
  return { ids: idState, calls: deferred.calls, isWritten };
}

/** Carries out a change again, on an organization in the state that it was made in. */
export function repeatChange(organization: Organization, change: RecordChange): void {
  if ('of' in change) repeatOnList(organization, change);
  else if ('drive' in change) repeatOnFiles(organization, change);
  else if (change.do === 'defer') organization.deferred.add(change.task);
  else if (change.do === 'takeDue') organization.deferred.take(change.count);
  else goOnFrom(organization, change);
}

function repeatOnFiles(organization: Organization, change: Extract<RecordChange, { drive: string }>): void {
  if (change.do === 'dropFiles') organization.dropFiles(change.drive);
  else if (change.do === 'putFile') organization.ownFilesOf(change.drive).put(change.file);
  else organization.ownFilesOf(change.drive).remove(change.id);
}

function goOnFrom(organization: Organization, { ids, calls, isWritten }: Counts): void {
  organization.ids.goOn(ids);
  organization.deferred.calls = calls;
  organization.isWritten = isWritten;
}

type ListChange = Extract<RecordChange, { of: RecordKind }>;

function repeatOnList(organization: Organization, change: ListChange): void {
  const byId = organization.recordsOf(change.of);
  if (change.do === 'set') {
    byId.set(change.record.id, change.record);
    return;
  }
  if (change.do === 'delete') byId.delete(change.id);
  const list = organization.listOf(change.of);
  const record = byId.get(change.id);
  if (change.do === 'list' && record !== undefined) list.add(record);
  if (change.do === 'relist' && record !== undefined) list.replace(record, record);
  // By now it may have another place in the order, or be gone.
  const listed = change.do === 'unlist' ? list.find(change.id) : undefined;
  if (listed !== undefined) list.remove(listed);
}
