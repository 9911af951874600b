// Who owns what: resources belong to the organization of the key that made them, and nobody else makes any (5.3).

import { jsonExcerpt, say } from '../../lib/sentence.ts';
import { isObject } from '../reading/messages.ts';
import { ruleOfKeylessEffect } from './authentication.ts';
import type { Collection } from './collection.ts';
import type { Call } from './exchange.ts';
import type { Report } from './findings.ts';
import { areDistinct, type Organization } from './organization.ts';

/** A creation, whoever sent it; without an organization, the key was not valid. */
export interface Making {
  call: Call;
  organization: Organization | undefined;
  kind: string | undefined;
}

/** The organizationId of what a response shows: an organization has one. */
export function judgeOwners(
  call: Call,
  shown: readonly unknown[],
  organization: Organization,
  all: readonly Organization[],
  report: Report,
): void {
  const kind = call.operation.resource ?? '';
  const named = shown.flatMap((item) => (isObject(item) ? (item.organizationId ?? []) : []));
  for (const item of shown) {
    if (!isObject(item) || typeof item.organizationId !== 'string') continue;
    organization.ownId ??= { id: item.organizationId, kinds: new Set(), number: call.number };
    const { ownId } = organization;
    if (ownId.id === item.organizationId) {
      ownId.kinds.add(kind);
      continue;
    }
    const isTheirs = all.some((other) => areDistinct(organization, other) && other.ownId?.id === item.organizationId);
    // Another kind of resource may name the organization in another notation.
    const isPlain = isTheirs || ownId.kinds.has(kind) || new Set(named).size > 1;
    const ofKind = call.operation.isCreation ? 'creations.belong-to-the-key' : 'organization.listed-items-name-it';
    const rule = isPlain ? ofKind : 'organization.has-one-id';
    const expected = say`organizationId ${ownId.id}`;
    const actual = say`${item.organizationId} of ${jsonExcerpt(item.id, 200)}`;
    report(rule, 'certain', { expected, actual, proof: [ownId.number] });
    return;
  }
}

const toleranceMs = 5 * 60_000;

/** A new resource was created when the response says that it was sent (2). The clock may be slow. */
export function judgeRecent(call: Call, report: Report): void {
  const { date = '' } = call.answer?.headers ?? {};
  const createdAt = isObject(call.json) ? String(call.json.createdAt) : '';
  if (!(Math.abs(Date.parse(createdAt) - Date.parse(date)) > toleranceMs)) return;
  const expected = say`a createdAt within five minutes of ${date}, the time of the response`;
  report('timestamps.creation-is-recent', 'certain', { expected, actual: say`${createdAt}` });
}

/** Where the resources of a list may come from. */
interface Origins {
  collection: Collection;
  organization: Organization;
  others: readonly Organization[];
  makings: readonly Making[];
}

/** Names of this length are not chosen twice by chance. */
const longName = 8;

/** Resources that a list shows for the first time, though no creation of the organization made them. */
export function judgeStrangers(fresh: readonly unknown[], call: Call, origins: Origins, report: Report): void {
  if (fresh.length === 0) return;
  const ofKind = origins.makings.filter(
    (making) => making.kind === origins.collection.kind && making.call.startMs < call.endMs,
  );
  const byName = Map.groupBy(ofKind, (making) => making.call.fields?.name);
  for (const item of fresh) {
    if (!isObject(item) || typeof item.name !== 'string' || item.name.length < longName) continue;
    const { id, name } = item;
    const made = byName.get(name);
    if (made === undefined) continue;
    const cause = causeOf(name, made, origins);
    if (cause === undefined) continue;
    const actual = say`${jsonExcerpt(id, 200)} with the name ${jsonExcerpt(name, 200)}`;
    report(cause.rule, 'certain', {
      expected: cause.expected,
      actual,
      proof: made.map((making) => making.call.number),
    });
  }
}

function causeOf(name: string, made: readonly Making[], { collection, organization, others }: Origins) {
  const own = made.filter((making) => making.organization !== undefined && !others.includes(making.organization));
  const done = own.filter(({ call }) => call.outcome !== 'refused');
  const namesakes = [...collection.items.values()].filter(({ fields }) => fields.name === name).length;
  if (namesakes <= done.length) return undefined;
  const rule = (id: string, expected: ReturnType<typeof say>) => ({ rule: id, expected });
  // A body may name an organization; the key decides all the same.
  if (made.some(({ call }) => call.fields?.organizationId !== undefined))
    return rule('creations.belong-to-the-key', say`nothing here that another organization's key made`);
  if (own.length > 0) return rule('creations.make-one-each', say`no more than ${done.length} of this name`);
  const keyless = made.find((making) => making.organization === undefined);
  if (keyless !== undefined) return rule(ruleOfKeylessEffect(keyless.call), say`nothing made without a valid key`);
  return others.length === 0 || organization.ownId === undefined
    ? undefined
    : rule('organization.lists-show-its-own', say`nothing that another organization made`);
}
