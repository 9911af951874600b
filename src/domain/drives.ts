import { nameFor } from './names.ts';
import { enlist, type Organization } from './organizations.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import type { Drive } from './resources.ts';

/** Creates a drive of the organization (4.3). */
export function createDrive(organization: Organization, sentName: string | undefined): Drive | Refusal {
  const { drivesById } = organization;
  const named = nameFor(organization, sentName, 'Untitled drive', drivesById);
  if (isRefusal(named)) return named;
  const now = organization.runtime.clock.nowMs();
  const id = organization.ids('drive');
  const drive: Drive = { id, organizationId: organization.id, ...named, createdAtMs: now, updatedAtMs: now };
  drivesById.set(id, drive);
  enlist(organization, { kind: 'listDrive', id });
  return drive;
}
