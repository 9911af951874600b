import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { EffectName } from '../../workbench/faults/effects.ts';
import { sandboxes } from '../shared/sandboxes.ts';
import { operations } from '../try/contract.ts';
import { type Draft, newDraft, type TimingName } from './draft.ts';
import { effectKinds, effectNames, type Setting } from './effects.ts';

interface FieldsProps {
  draft: Draft;
  change(part: Partial<Draft>): void;
  errors: Readonly<Record<string, string>>;
}

/** The effect, its settings, and its moment. */
export function EffectFields(props: FieldsProps) {
  const { settings } = effectKinds[props.draft.effect];
  return (
    <>
      <EffectChoice {...props} />
      {settings.length > 0 && (
        <div class="row settings">
          {settings.map((setting) => (
            <SettingField key={setting.name} setting={setting} {...props} />
          ))}
        </div>
      )}
      <MomentChoice {...props} />
    </>
  );
}

function EffectChoice({ draft, change }: FieldsProps) {
  const choose = (effect: EffectName) => {
    const { settings, moment } = newDraft(effect, draft.organizationId);
    change({ effect, settings, moment });
  };
  return (
    <div class="stacked">
      <label for="fault-effect">Effect</label>
      <select
        id="fault-effect"
        aria-describedby="fault-about"
        value={draft.effect}
        onChange={({ currentTarget }) => choose(currentTarget.value as EffectName)}
      >
        {effectNames.map((name) => (
          <option key={name} value={name}>
            {effectKinds[name].label}
          </option>
        ))}
      </select>
      <small id="fault-about">{effectKinds[draft.effect].about}</small>
    </div>
  );
}

const momentLabels = {
  before: 'before the change, which then does not happen',
  after: 'after the change, which is kept',
} as const;

function MomentChoice({ draft, change }: FieldsProps) {
  if (effectKinds[draft.effect].moments.length === 1) return null;
  return (
    <fieldset class="row">
      <legend>If the call makes a change, the fault applies</legend>
      {(['before', 'after'] as const).map((moment) => (
        <label key={moment} class="check">
          <input type="radio" name="moment" checked={draft.moment === moment} onChange={() => change({ moment })} />
          {momentLabels[moment]}
        </label>
      ))}
    </fieldset>
  );
}

function SettingField({ setting: { name, label, bounds }, draft, change, errors }: FieldsProps & { setting: Setting }) {
  const set = (value: string) => change({ settings: { ...draft.settings, [name]: value } });
  return (
    <TextField
      label={label}
      value={draft.settings[name] ?? ''}
      isNumber={bounds !== undefined}
      error={errors[name]}
      onInput={set}
    />
  );
}

interface TextFieldProps {
  label: string;
  value: string;
  isNumber: boolean;
  error: string | undefined;
  onInput(value: string): void;
}

function TextField({ label, value, isNumber, error, onInput }: TextFieldProps) {
  return (
    <label class="stacked">
      {label}
      <input
        value={value}
        inputMode={isNumber ? 'decimal' : 'text'}
        class={isNumber ? 'number' : ''}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={error !== undefined}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      {error !== undefined && <span class="wrong">{error}</span>}
    </label>
  );
}

const timings: Readonly<Record<TimingName, { label: string; count: string; unit: string }>> = {
  always: { label: 'Every call', count: '1', unit: '' },
  next: { label: 'The next calls', count: '1', unit: 'How many' },
  every: { label: 'Every n-th call', count: '2', unit: 'n' },
  share: { label: 'Some calls, at random', count: '20', unit: 'Percent' },
};

/** Which of the matched calls the fault applies to. */
export function TimingFields({ draft, change, errors }: FieldsProps) {
  const { unit } = timings[draft.timing];
  const choose = (timing: TimingName) => change({ timing, count: timings[timing].count });
  return (
    <div class="row settings">
      <label class="stacked">
        Applies to
        <select value={draft.timing} onChange={({ currentTarget }) => choose(currentTarget.value as TimingName)}>
          {Object.entries(timings).map(([name, { label }]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {unit !== '' && (
        <TextField
          label={unit}
          value={draft.count}
          isNumber
          error={errors.count}
          onInput={(count) => change({ count })}
        />
      )}
    </div>
  );
}

/** The operations that the fault applies to. */
export function OperationFields({ draft, change }: FieldsProps) {
  const toggle = (id: OperationId) => {
    const others = draft.operations.filter((each) => each !== id);
    change({ operations: others.length < draft.operations.length ? others : [...draft.operations, id] });
  };
  return (
    <fieldset>
      <legend>Operations: {draft.operations.length === 0 ? 'all' : 'only these'}</legend>
      <div class="choices">
        {operations.value.map(({ operationId }) => (
          <label key={operationId} class="check">
            <input
              type="checkbox"
              checked={draft.operations.includes(operationId)}
              onChange={() => toggle(operationId)}
            />
            {operationId}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The sandbox whose calls the fault applies to. */
export function SandboxField({ draft, change }: FieldsProps) {
  return (
    <label class="stacked">
      Calls from
      <select
        value={draft.organizationId}
        onChange={({ currentTarget }) => change({ organizationId: currentTarget.value })}
      >
        <option value="">all sandboxes</option>
        {sandboxes.value.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
