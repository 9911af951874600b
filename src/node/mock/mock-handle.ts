import type { FastifyInstance } from 'fastify';
import { controlPrefix } from '../../workbench/control-plane/control-plane.ts';
import { type MockHandle, toHandle } from '../../workbench/edge/mock-handle.ts';
import { originOfServer } from '../request.ts';
import type { MockContext } from './mock-context.ts';

/** A mock that is listening. */
export interface Mock extends MockHandle {
  /** The base URL, with the version segment: `http://127.0.0.1:4010/v0.1`. */
  readonly url: string;
  /** Where the control plane is; undefined when there is none. */
  readonly adminUrl: string | undefined;
  /** The certificate, in PEM, where the mock serves https: what clients may be told to trust. */
  readonly certificate: string | undefined;
  /** Ends open connections and stops listening. */
  close(): Promise<void>;
}

/** The handle of a mock that listens. */
export function toMock(context: MockContext, app: FastifyInstance, certificate: string | undefined): Mock {
  const { basePath, access } = context;
  const origin = originOfServer(app.server);
  const more = {
    url: origin + basePath,
    adminUrl: access !== undefined && access.closed === undefined ? origin + controlPrefix : undefined,
    certificate,
    close: () => app.close(),
  };
  // With its getters.
  return Object.defineProperties(toHandle(context), Object.getOwnPropertyDescriptors(more)) as Mock;
}
