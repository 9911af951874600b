import type { Call } from './call.ts';
import type { OrganizationState, Picture } from './picture.ts';

/** The organization that a call acts for; undefined when no valid key came with it (section 5). */
export function organizationOf(call: Call, picture: Picture): OrganizationState | undefined {
  const plain = call.headers['x-api-key'] || undefined;
  const pattern = picture.profile.bearerSpelling === 'exact' ? /^Bearer (.+)$/ : /^bearer (.+)$/i;
  const bearer = pattern.exec(call.headers.authorization ?? '')?.[1];
  const key = countingKey(plain, bearer, picture);
  return picture.organizations.find(({ keys }) => key !== undefined && keys.includes(key));
}

function countingKey(plain: string | undefined, bearer: string | undefined, { profile }: Picture): string | undefined {
  if (plain === undefined || bearer === undefined || plain === bearer) return plain ?? bearer;
  if (profile.bothAuthHeaders === 'refused') return undefined;
  return profile.bothAuthHeaders === 'apiKeyWins' ? plain : bearer;
}
