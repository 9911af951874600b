import type { ServerError } from './report.ts';
import type { Session } from './session.ts';
import { toCurl } from './target/curl.ts';
import { answeredByGateway, insufficientStorage, type Reply } from './target/reply.ts';

/** Whether the server itself reports that it failed. A gateway in front of it may be busy for a moment. */
export function isServerError({ status }: Pick<Reply, 'status'>): boolean {
  return status >= 500 && status !== insufficientStorage && !answeredByGateway.includes(status);
}

/** All responses of a run with a status of 500 and above, including those of gateways and those that no check judges. */
export function serverErrorsOf({ target, operations }: Session): ServerError[] {
  const groups = Map.groupBy(target.serverErrors, ({ request, status }) => `${request.operation} ${status}`);
  return Array.from(groups.values(), (alike) => {
    const [first] = alike as [Reply];
    const { method, operation } = first.request;
    const path = operations.get(operation)?.path ?? '';
    return { method, path, status: first.status, count: alike.length, curl: toCurl(first.exchange) };
  });
}
