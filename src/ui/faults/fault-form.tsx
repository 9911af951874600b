import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { ListedFault } from '../../workbench/faults/fault.ts';
import { announce } from '../shared/announce.tsx';
import { CopyMenu } from '../shared/copy-menu.tsx';
import { addFault, changeFault } from '../shared/faults.ts';
import { Check, Select, TextField } from '../shared/form.tsx';
import { Notice } from '../shared/parts.tsx';
import { chosenSandbox, sandboxes } from '../shared/sandboxes.ts';
import { goTo } from '../shared/url-state.ts';
import { applied, loadContract, operations } from '../try/contract.ts';
import { type Draft, newDraft, type TimingName, toDraft, toFault } from './draft.ts';
import { type EffectName, effectKinds, effectNames } from './effects.ts';
import { presets } from './presets.ts';
import { effectWords } from './words.ts';

/** The form for a new fault, with buttons for frequent ones. */
export function AddFault() {
  const sandbox = chosenSandbox.value?.id ?? '';
  const draft = useSignal<Draft>(newDraft('latency', sandbox));
  useEffect(() => {
    draft.value = { ...draft.value, organizationId: sandbox };
  }, [sandbox]);
  const add = async (given: Draft) => {
    const added = await addFault(toFault(given));
    announce(`Added ${added.id}: ${effectWords(added)}.`);
  };
  return (
    <>
      <h3>Add a fault</h3>
      <div class="row presets">
        {presets.map(({ label, draft: make }) => (
          <button key={label} type="button" onClick={() => (draft.value = make(sandbox))}>
            {label}
          </button>
        ))}
      </div>
      <FaultForm draft={draft.value} onChange={(next) => (draft.value = next)} action="Add" onSend={add} />
    </>
  );
}

/** The form for an existing fault. It does not show changes that others make meanwhile. */
export function ChangeFault({ fault }: { fault: ListedFault }) {
  const draft = useSignal<Draft>(toDraft(fault));
  const save = async (given: Draft) => {
    await changeFault(fault, toFault(given));
    announce(`Changed ${fault.id}.`);
    goTo('faults');
  };
  return <FaultForm draft={draft.value} onChange={(next) => (draft.value = next)} action="Save" onSend={save} />;
}

interface FormProps {
  draft: Draft;
  onChange(draft: Draft): void;
  action: string;
  onSend(draft: Draft): Promise<void>;
}

function FaultForm({ draft, onChange, action, onSend }: FormProps) {
  const error = useSignal('');
  useEffect(() => {
    if (applied.value === undefined) void loadContract('');
  }, []);
  const send = (event: Event) => {
    event.preventDefault();
    error.value = '';
    onSend(draft).catch((problem: Error) => {
      error.value = problem.message;
    });
  };
  const fields = { draft, change: (part: Partial<Draft>) => onChange({ ...draft, ...part }) };
  return (
    <form class="form fault-form" noValidate onSubmit={send}>
      <EffectFields {...fields} />
      <TimingFields {...fields} />
      <OperationFields {...fields} />
      <Select
        label="Applies to calls from"
        value={draft.organizationId}
        options={[['', 'all sandboxes'], ...sandboxes.value.map(({ id, name }) => [id, name] as const)]}
        onChange={(organizationId) => fields.change({ organizationId })}
      />
      {error.value !== '' && <Notice kind="error">{error.value}</Notice>}
      <div class="row">
        <button type="submit" class="primary">
          {action}
        </button>
        <CopyMenu
          request={() => addRequest(draft)}
          others={[['for a test', () => `mock.faults.add(${JSON.stringify(toFault(draft), undefined, 2)});`]]}
        />
      </div>
    </form>
  );
}

function addRequest(draft: Draft) {
  const headers = [['Content-Type', 'application/json']] as const;
  return { method: 'POST', url: `${location.origin}/__admin/faults`, headers, body: JSON.stringify(toFault(draft)) };
}

interface FieldsProps {
  draft: Draft;
  change(part: Partial<Draft>): void;
}

const momentWords = {
  before: 'before the change, which then does not happen',
  after: 'after the change, which is kept',
} as const;

/** The effect, its settings, and its moment. */
function EffectFields({ draft, change }: FieldsProps) {
  const { about, settings, moments } = effectKinds[draft.effect];
  const choose = (name: string) => {
    const { effect, settings: preset, moment } = newDraft(name as EffectName, draft.organizationId);
    change({ effect, settings: preset, moment });
  };
  return (
    <>
      <Select
        label="Effect"
        about={about}
        value={draft.effect}
        options={effectNames.map((name) => [name, effectKinds[name].label])}
        onChange={choose}
      />
      {settings.length > 0 && (
        <div class="row">
          {settings.map(({ name, label, isNumber = false }) => (
            <TextField
              key={name}
              {...{ label, isNumber, value: draft.settings[name] ?? '' }}
              onInput={(text) => change({ settings: { ...draft.settings, [name]: text } })}
            />
          ))}
        </div>
      )}
      {moments.length > 1 && (
        <fieldset>
          <legend>If the call makes a change, the fault applies</legend>
          {(['before', 'after'] as const).map((moment) => (
            <Check
              key={moment}
              group="moment"
              label={momentWords[moment]}
              isChecked={draft.moment === moment}
              onChange={() => change({ moment })}
            />
          ))}
        </fieldset>
      )}
    </>
  );
}

const timings: Readonly<Record<TimingName, { words: string; count: string; unit: string }>> = {
  always: { words: 'Every call', count: '1', unit: '' },
  next: { words: 'The next calls', count: '1', unit: 'How many' },
  every: { words: 'Every n-th call', count: '2', unit: 'n' },
  share: { words: 'Some calls, at random', count: '20', unit: 'Percent' },
};

/** Which of the matched calls the fault applies to. */
function TimingFields({ draft, change }: FieldsProps) {
  const { unit } = timings[draft.timing];
  return (
    <div class="row">
      <Select
        label="Applies to"
        value={draft.timing}
        options={Object.entries(timings).map(([name, { words }]) => [name, words])}
        onChange={(name) => change({ timing: name as TimingName, count: timings[name as TimingName].count })}
      />
      {unit !== '' && <TextField label={unit} isNumber value={draft.count} onInput={(count) => change({ count })} />}
    </div>
  );
}

function OperationFields({ draft, change }: FieldsProps) {
  const toggle = (id: OperationId) => {
    const others = draft.operations.filter((each) => each !== id);
    change({ operations: others.length < draft.operations.length ? others : [...draft.operations, id] });
  };
  return (
    <fieldset>
      <legend>Operations: {draft.operations.length === 0 ? 'all' : 'only these'}</legend>
      <div class="many">
        {operations.value.map(({ operationId }) => (
          <Check
            key={operationId}
            label={operationId}
            isChecked={draft.operations.includes(operationId)}
            onChange={() => toggle(operationId)}
          />
        ))}
      </div>
    </fieldset>
  );
}
