import type { OpenPoint } from '../../../openapi/points/open-point.ts';
import type { Sandbox } from '../../domain/store.ts';
import { profileOf, unusableChoices } from '../profile-change.ts';
import type { ControlContext } from './control.ts';

/** A choice listed in the register. `refused` says why this mock cannot use it here and now. */
export type ShownChoice = OpenPoint['choices'][number] & { refused?: string };

/** An open point as the admin API shows it. */
export interface ShownOpenPoint
  extends Pick<
    OpenPoint,
    'id' | 'sources' | 'open' | 'impact' | 'operations' | 'default' | 'range' | 'needs' | 'cost' | 'question'
  > {
  /** The choice in use. */
  now: OpenPoint['default'];
  isDefault: boolean;
  choices: ShownChoice[];
  /** The other listed choices. */
  alsoLegal: OpenPoint['choices'];
  /** Why no choice has an effect on this mock; absent if one has. */
  withoutEffect?: string;
}

/** An open point as used by one organization or, if undefined, by all without their own profile. */
export function showOpenPoint(
  point: OpenPoint,
  sandbox: Sandbox | undefined,
  context: Pick<ControlContext, 'engine' | 'hasLiveMcp'>,
): ShownOpenPoint {
  const { seen: _, choices, ...shown } = point;
  const now = profileOf(context.engine, sandbox)[point.id as 'successStatus.createDrive'];
  const isIdle = point.needs === 'liveMcp' && !context.hasLiveMcp;
  return {
    ...shown,
    ...{ now, isDefault: now === point.default },
    choices: choices.map((choice) => {
      const [violation] = unusableChoices({ [point.id]: choice.value }, sandbox, context);
      return violation === undefined ? choice : { ...choice, refused: violation.message };
    }),
    alsoLegal: choices.filter(({ value }) => value !== now),
    ...(isIdle && { withoutEffect: contactsNobody }),
  };
}

const contactsNobody =
  'has no effect, because this mock contacts no MCP servers; start it with --live-mcp to allow that';
