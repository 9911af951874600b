import { controlPrefix } from '../../workbench/admin-api/admin-api.ts';
import { toHandle } from '../../workbench/edge/mock-handle.ts';
import { closing } from '../listening.ts';
import type { MockContext } from './mock-context.ts';
import type { Mock } from './mock-handle.ts';

/** The handle of a listening mock. */
export function toMock(context: MockContext, origin: string, given: Pick<Mock, 'state' | 'lost' | 'close'>): Mock {
  const { basePath, access } = context;
  const more = {
    url: origin + basePath,
    adminUrl: access !== undefined && access.closed === undefined ? origin + controlPrefix : undefined,
    ...given,
    ...closing(given.close),
  };
  // Getters are copied as getters.
  return Object.defineProperties(toHandle(context), Object.getOwnPropertyDescriptors(more)) as Mock;
}
