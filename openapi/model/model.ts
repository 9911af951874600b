// The state that a server must have, as an observer from outside can know it. Every exchange is judged by what the
// earlier ones have shown, and adds to it. To add a rule, find the file of its theme; its id stands in
// `requirements.yaml`, with its section. What is open is never judged.

import { say } from '../../lib/sentence.ts';
import { judgedContract } from '../contract/judged-contract.ts';
import type { Operation, OperationId } from '../contract/operations.ts';
import { isObject, listIn } from '../reading/messages.ts';
import { judgeRefusedKey, judgeWithoutKey } from './authentication.ts';
import { Choices } from './choices.ts';
import type { Collection } from './collection.ts';
import { judgeOwners, judgeRecent, judgeStrangers, type Making } from './creations.ts';
import { type Answered, Call, type Exchange, type Sent } from './exchange.ts';
import { judgeFailure } from './failures.ts';
import { judgeIdentity, judgeMoved } from './files.ts';
import { type Finding, findingOf, type Report } from './findings.ts';
import { Moves } from './moves.ts';
import { areDistinct, mayAct, Organization, type Told } from './organization.ts';
import { judgePage, judgeTotal, pageOf, sizeShownBy } from './pages.ts';
import { Shapes } from './shapes.ts';
import { judgeFound, ShownTools } from './tools.ts';

export class Model {
  readonly #told: Told;
  readonly #operations: ReadonlyMap<OperationId, Operation>;
  readonly #shapes: Shapes;
  readonly #organizations = new Map<string, Organization>();
  readonly #choices = new Choices();
  readonly #makings: Making[] = [];
  /** The names that anyone tried to give. */
  readonly #names = new Set<unknown>();
  readonly #moves: Moves;
  readonly #tools = new ShownTools();
  readonly #waiting = new Set<Call>();
  #longestPage = 0;
  #calls = 0;

  constructor(told: Told) {
    const { document, operations, schemas } = judgedContract();
    this.#told = told;
    this.#operations = operations;
    this.#shapes = new Shapes(document, schemas);
    this.#moves = new Moves(told, this.#choices, this.#organizations);
  }

  /** Judges an exchange that overlaps with no other one. */
  judge({ answer, endMs, ...sent }: Exchange): Finding[] {
    return this.end(this.begin(sent), answer, endMs);
  }

  /** A request is sent: from now on, it may have its effect. */
  begin(sent: Sent): Call {
    const operation = this.#operations.get(sent.operation);
    if (operation === undefined) throw new Error(`there is no operation ${sent.operation}`);
    const call = new Call(sent, operation, ++this.#calls);
    for (const other of this.#waiting) {
      call.isBesideWrites ||= !other.operation.isRead;
      other.isBesideWrites ||= !operation.isRead;
    }
    this.#waiting.add(call);
    const organization = this.#organizationOf(call);
    const { operationId } = operation;
    if (operation.isCreation) {
      if (!call.isUnclear) this.#makings.push({ call, organization, kind: operation.resource });
      const makers = call.isUnclear ? this.#organizations.values() : [organization];
      for (const maker of makers) maker?.collectionOf(operation.resource)?.creations.push(call);
      this.#names.add(call.fields?.name);
    }
    if (operationId === 'publishAgentRevision')
      for (const each of this.#organizations.values())
        each.flags.begin(
          call,
          call.isUnclear || (organization !== undefined && mayAct(organization, each, this.#told)),
        );
    if (operationId === 'updateDriveFile' || operationId === 'deleteDriveTree') this.#moves.begin(call, organization);
    return call;
  }

  /** A response has come, or none will. Returns the rules that the exchange breaks. */
  end(call: Call, answer: Answered | undefined, endMs: number): Finding[] {
    call.end(answer, endMs);
    this.#waiting.delete(call);
    const findings: Finding[] = [];
    if (call.isUnclear) return findings;
    const report: Report = (rule, certainty, grounds) => {
      findings.push(findingOf(rule, certainty, grounds, call.number));
    };
    const organization = this.#organizationOf(call);
    judgeFailure(call, organization, report);
    if (organization === undefined) judgeWithoutKey(call, report);
    else {
      // Whether a key is valid that was never accepted, nobody knows.
      if (call.outcome === 'refused' && organization.isAccepted) judgeRefusedKey(call, report);
      if (call.outcome === 'success') {
        organization.isAccepted = true;
        this.#shapes.judge(call, report);
      }
      call.forgetLong();
      this.#judgeState(call, organization, report);
    }
    return findings;
  }

  #judgeState(call: Call, organization: Organization, report: Report): void {
    const { operation, outcome } = call;
    const isSuccess = outcome === 'success';
    const kind = operation.resource ?? (operation.list?.itemSchema as string | undefined);
    const collection = organization.collectionOf(kind);
    if (isSuccess) this.#judgeReach(call, organization, report);
    if (operation.operationId === 'listMcpServerTools') {
      judgeFound(call, organization.servers, this.#told, report);
      if (isSuccess) this.#tools.judge(call, report);
    } else if (collection !== undefined && isSuccess) {
      const list = listIn(operation, call.json);
      judgeOwners(call, list ?? [call.json], organization, [...this.#organizations.values()], report);
      if (list !== undefined) this.#judgeList(call, list, organization, collection, report);
      else if (operation.isCreation) {
        // Returning an earlier resource of the same name is open.
        const isNew = collection.judgeCreation(call, report);
        if (isNew) judgeRecent(call, report);
      }
    } else if (kind === 'DriveFile' || operation.operationId === 'deleteDriveTree') {
      if (isSuccess && kind === 'DriveFile') judgeIdentity(call, report);
      if (isSuccess && operation.operationId === 'updateDriveFile') judgeMoved(call, report);
      this.#moves.end(call, organization, report);
    }
  }

  #judgeList(
    call: Call,
    list: readonly unknown[],
    organization: Organization,
    collection: Collection,
    report: Report,
  ): void {
    const isWhole = collection.kind !== 'Drive' || this.#judgePage(call, organization, report);
    const before = new Set(collection.items.keys());
    collection.judgeList(list, isWhole, call, this.#names, report);
    if (collection.kind === 'Agent') organization.flags.judgeList(list, call, report);
    const fresh = list.filter((item) => isObject(item) && typeof item.id === 'string' && !before.has(item.id));
    const others = [...this.#organizations.values()].filter((other) => areDistinct(organization, other));
    judgeStrangers(fresh, call, { collection, organization, others, makings: this.#makings }, report);
  }

  /** Judges a page of drives. Returns whether it shows all of them. */
  #judgePage(call: Call, { drives }: Organization, report: Report): boolean {
    const page = pageOf(call);
    judgePage(call, page, report);
    const size = sizeShownBy(page, this.#longestPage, this.#choices);
    // The list may lag behind its total.
    judgeTotal(call, page, drives.isSettledFor(call) ? size : undefined, this.#choices, report);
    this.#longestPage = Math.max(this.#longestPage, page.count);
    const made = drives.madeBefore(call);
    // Once all are counted, a page that ends before them has lost some, whatever its order.
    if (size !== undefined && size < made.length) {
      const all = made.length === 1 ? say`the drive that was` : say`the ${made.length} drives that were`;
      const proof = made.slice(-3).map(({ number }) => number);
      report('listDrives.shows-created-drive', 'certain', {
        expected: say`at least ${all} created`,
        actual: say`a list that ends after ${size}`,
        proof,
      });
    }
    return size !== undefined && size === page.count && page.offset === 0;
  }

  /** Whether a request reached what belongs to another organization, or what nobody has (`foreignResources`). */
  #judgeReach(call: Call, organization: Organization, report: Report): void {
    const { agentId, driveId, mcpServerId } = call.params;
    const [kind, id] =
      driveId !== undefined
        ? ['Drive', driveId]
        : agentId !== undefined
          ? ['Agent', agentId]
          : ['McpServer', mcpServerId];
    const own_ = organization.collectionOf(kind);
    if (id === undefined || own_ === undefined || !own_.lacks(id)) return;
    const owner = [...this.#organizations.values()].find(
      (other) => areDistinct(organization, other) && other.collectionOf(kind)?.items.has(id),
    );
    const proof = [own_.whole?.call.number];
    const actual = say`status ${call.status}`;
    if (owner !== undefined && this.#told.foreignResources !== 'shared')
      report('organization.foreign-resources-are-out-of-reach', 'certain', {
        expected: say`a refusal: ${id} is of another organization`,
        actual,
        proof,
      });
    const rule = unknownRules[call.operation.operationId];
    if (owner !== undefined || rule === undefined || this.#organizations.size > 1) return;
    report(rule, 'maybe', { expected: say`a refusal: no list shows ${id}`, actual, proof });
  }

  #organizationOf({ organization: name, isUnclear }: Call): Organization | undefined {
    if (name === undefined || isUnclear) return undefined;
    const organization = this.#organizations.get(name) ?? new Organization(this.#told);
    this.#organizations.set(name, organization);
    return organization;
  }
}

const unknownRules: Readonly<Partial<Record<OperationId, string>>> = {
  publishAgentRevision: 'publishAgentRevision.unknown-target-is-refused',
  getDriveFile: 'getDriveFile.unknown-file-is-refused',
  updateDriveFile: 'updateDriveFile.unknown-file-is-refused',
  deleteDriveTree: 'deleteDriveTree.unknown-drive-is-refused',
};
