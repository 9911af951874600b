import { keptName, madeUpName, refuseTakenName } from './names.ts';
import { enlist, type Organization } from './organizations.ts';
import type { Refusal } from './refusal.ts';
import type { Drive } from './resources.ts';

/** Creates a drive of the organization (4.3). */
export function createDrive(organization: Organization, sentName: string | undefined): Drive | Refusal {
  const { drivesById } = organization;
  const { profile, clock } = organization.runtime;
  const name = keptName(sentName ?? madeUpName(organization, 'Untitled drive', drivesById), profile.nameRules);
  const refusal = refuseTakenName(organization, name, drivesById);
  if (refusal !== undefined) return refusal;
  const now = clock.nowMs();
  const id = organization.ids('drive');
  const drive: Drive = { id, organizationId: organization.id, name, createdAtMs: now, updatedAtMs: now };
  drivesById.set(id, drive);
  enlist(organization, { kind: 'listDrive', id });
  return drive;
}
