import type { Session } from '../session.ts';
import { agreed, type Observer, ownReplies } from './observer.ts';

/** The codes of readings that succeed. */
export const readStatusObserver: Observer = {
  openPoint: 'readStatus',
  phase: 'judge',
  see: async (session) =>
    agreed({
      'GET /drives': firstStatus(session, 'listDrives'),
      'GET of a file': firstStatus(session, 'getDriveFile'),
    }),
};

function firstStatus(session: Session, operation: 'listDrives' | 'getDriveFile'): number | undefined {
  return ownReplies(session).find(({ sending, isSuccess }) => isSuccess && sending.operation === operation)?.status;
}
