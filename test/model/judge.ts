import assert from 'node:assert/strict';
import { listAgents, publishAgentRevision } from './agents.ts';
import { type Answer, type Call, methodOf, type OperationId } from './call.ts';
import { createDrive, listDrives } from './drives.ts';
import { getDriveFile, updateDriveFile } from './files.ts';
import { areIdsValid, inputFault } from './input-rules.ts';
import { createMcpServer, listMcpServers, listMcpServerTools } from './mcp-servers.ts';
import { type Outcome, outcomeIn, statusOf } from './outcome.ts';
import { organizationOf, type Picture } from './picture.ts';
import type { Expectation, Scene } from './scene.ts';
import { deleteDriveTree } from './trees.ts';

const expectations: Record<OperationId, Expectation> = {
  listAgents,
  publishAgentRevision,
  createDrive,
  listDrives,
  getDriveFile,
  updateDriveFile,
  deleteDriveTree,
  createMcpServer,
  listMcpServers,
  listMcpServerTools,
};

/** Compares an answer with the picture, brings the picture up to date, and says what became of the call. */
export function judge(call: Call, answer: Answer, picture: Picture): Outcome {
  const organization = organizationOf(call, picture);
  const scene = organization && { call, picture, profile: picture.profile, organization };
  const expected = expectedOutcomes(call, picture, scene);
  const outcome = outcomeIn(answer, expected, call.operationId, picture.profile);
  assert.ok(outcome, describeSurprise(answer, expected, call, picture));
  if (scene !== undefined) settle(scene, outcome, answer);
  return outcome;
}

// The key, size, media type, JSON, input and then the resource, which may be judged right after the size.
function expectedOutcomes(call: Call, picture: Picture, scene: Scene | undefined): Outcome[] {
  const fault = inputFault(call, picture.profile);
  if (scene === undefined) return ['unauthenticated'];
  const { outcomes, whenFound } = expectations[call.operationId];
  if (fault === undefined) return outcomes(scene);
  const { profile } = picture;
  // For tools 404 is stated.
  const isMovedUp = profile.judgedFirst === 'resource' || call.operationId === 'listMcpServerTools';
  const isResourceFirst = isMovedUp && fault !== 'body-too-large' && areIdsValid(call, profile);
  return (isResourceFirst && whenFound?.(scene, [fault])) || [fault];
}

function settle(scene: Scene, outcome: Outcome, answer: Answer): void {
  const { call, organization } = scene;
  const { succeeded, refused } = expectations[call.operationId];
  const body = answer.text === '' ? undefined : JSON.parse(answer.text);
  if (outcome === 'success') succeeded(scene, body);
  else if (outcome === 'not-found' || outcome === 'conflict') refused?.(scene, outcome);
  organization.calls += 1;
  if (outcome === 'success') organization.successes += 1;
}

function describeSurprise(answer: Answer, expected: readonly Outcome[], call: Call, { profile }: Picture): string {
  const statuses = expected.map((outcome) => `${outcome} (${statusOf(outcome, call.operationId, profile)})`);
  return `${methodOf(call)}: expected ${statuses.join(' or ')}, got ${answer.status} ${answer.text}`;
}
