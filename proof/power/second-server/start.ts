/**
 * A second server of the interface, written from its specification alone.
 *
 * What is stated is kept in both variants. Where nothing is stated the variant `odd` chooses:
 *
 * - Base address: a path before the version segment.
 * - Success codes: 202 for publish and create drive, 203 for list drives and get file, 201 for
 *   update file and delete tree, 200 for create MCP server. The others are shown: 200.
 * - Body of publish: a JSON string. The revision becomes active, and `isPublished` true, only after
 *   the delay. `hasChanges` stays true while a newer revision exists; `updatedAt` does not change.
 *   To publish the revision asked for last once more is refused.
 * - Required body fields: none. An absent name gets a default, an absent `url` is `about:blank`, an
 *   absent `path` changes nothing, an absent `revisionId` means the newest revision. A field of a
 *   wrong type (null too) is refused, an unknown field ignored.
 * - Names: blanks at both ends are dropped; there are no bounds, so an empty name is legal.
 * - `url` of an MCP server: any string, kept as it is. `type` of a new one: `sse`. It has no tools.
 * - Lists: ordered by a hash of the id. New drives and MCP servers are listed after the delay;
 *   `total` counts the listed ones. A new MCP server has its tools endpoint at once.
 * - Defaults: `limit` 7, `offset` 0. Of a repeated query parameter the last counts.
 * - Out-of-range `limit` and `offset` are refused, not clamped: section 7 calls them failures.
 *   Leading zeros are integers; signs other than minus, fractions and exponents are not.
 * - Pattern of paths: it lets `/..` and `/../x` pass although the words forbid them. Both rules are
 *   kept. A path with a line break does not match the pattern (a dot matches no line break).
 * - Moves: the path is kept exactly as sent, also `/` or `/x/`; the name is the last non-empty
 *   segment. Two files may share a path. `modifiedAt` stays (the content did not change), `status`
 *   is `processing` during the delay.
 * - Tree deletion: the parameter is `Q.folder-1`; the count comes at once, the files go after the
 *   delay. A tree without files is deleted with a count of 0. The file at the very path of the
 *   directory is not part of the tree. `message` is empty, `jobId` a short number in a string.
 * - Absent fields: `description` of some agents; `size`, `contentType`, `description`, `summary`
 *   and `metadata` of some files. All fields of drives and MCP servers are there: the endpoints
 *   name them one by one.
 * - Ids: with `:`, `~`, `.` and `=`, or short numbers; a file id is unique only inside its drive.
 * - Timestamps: six digits after the second, and `+00:00`.
 * - Objects: last key first, with one unknown field. Error bodies: an array.
 * - Refusals: see `choices.ts`; 404 for an unknown address, 405 for another method, 413 for a body
 *   above 1 MiB. What belongs to another organization is refused as if it did not exist.
 * - Content type of requests: not looked at, JSON is read under any.
 * - Two keys in one request: one valid key is enough; of two valid ones `Authorization` counts. The
 *   word Bearer may be written in any case.
 * - Without a valid key everything is 401, also unknown addresses.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { choicesOf, type Variant } from './choices.ts';
import { attach } from './handler.ts';
import { Sandbox } from './sandbox.ts';
import { type Seeded, seed } from './seed.ts';

/** A running server and what a test needs to know of its state. */
export interface SecondServer extends Seeded {
  /** Base URL ending with the version segment, no slash at its end. */
  readonly baseUrl: string;
  /** Key of organization A. */
  readonly apiKey: string;
  /** Key of organization B, which has agents, drives with files and MCP servers too. */
  readonly otherApiKey: string;
  readonly treePathParameter: string;
  close(): Promise<void>;
}

/** How to start the server. */
export interface SecondServerOptions {
  /** Delay of lists and background work in milliseconds; 700 for `odd`, 0 for `plain`. */
  readonly settleMs?: number;
  /** `odd` when not given. */
  readonly variant?: Variant;
}

/** All characters of these keys are legal in both headers. */
function makeKey(name: string): string {
  return `${name}~${randomBytes(18).toString('base64')}==`;
}

/** Starts a server with fresh state on a free port. */
export async function startSecondServer(options: SecondServerOptions = {}): Promise<SecondServer> {
  const choices = choicesOf(options.variant ?? 'odd', options.settleMs);
  const sandbox = new Sandbox(choices);
  const [organizationA, organizationB] = [sandbox.nextId('organization'), sandbox.nextId('organization')];
  const seeded = seed(sandbox, organizationA, organizationB);
  const [apiKey, otherApiKey] = [makeKey('a'), makeKey('b')];
  const keys = new Map([
    [apiKey, organizationA],
    [otherApiKey, organizationB],
  ]);
  const server = createServer({ requestTimeout: 30_000, requireHostHeader: false });
  attach(server, { sandbox, keys });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}${choices.prefix}`;
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return { baseUrl, apiKey, otherApiKey, treePathParameter: choices.treePathParameter, ...seeded, close };
}
