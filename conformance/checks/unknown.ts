import { own, say } from '../../lib/sentence.ts';
import { loadDocument } from '../../openapi/contract/load.ts';
import { type Operation, operationsOf } from '../../openapi/contract/operations.ts';
import { type Check, checksOf } from '../check.ts';
import { operationUses } from '../probing/operations.ts';
import { expectRefusal } from '../target/expectations.ts';

/** Reads of resources that do not exist. The last id in the path names the resource: `fileId`, `unknown-file`. */
export const unknownChecks: readonly Check[] = operationsOf(loadDocument()).flatMap((operation) => {
  const { unknown } = operationUses[operation.operationId];
  return unknown === undefined ? [] : [unknownCheck(operation, unknown)];
});

function unknownCheck({ operationId, parameters }: Operation, unknown: InputOf): Check {
  const noun = (parameters.findLast((one) => one.in === 'path')?.name ?? '').replace(/Id$/, '');
  const run: Check['run'] = async (session) => {
    const reply = await session.call(operationId, unknown(session));
    expectRefusal(reply, say`a ${own(noun)} that does not exist was returned`);
  };
  return checksOf(operationId, 'read')(`unknown-${noun}`, `Reads a ${noun} that does not exist.`, run, { effects: {} });
}

type InputOf = NonNullable<(typeof operationUses)[keyof typeof operationUses]['unknown']>;
