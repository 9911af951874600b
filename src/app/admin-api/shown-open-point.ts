import type { OpenPoint } from '../../../openapi/points/open-point.ts';

/** A choice listed in the register. `refused` says why this mock cannot use it here and now. */
export type ShownChoice = OpenPoint['choices'][number] & { refused?: string };

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
