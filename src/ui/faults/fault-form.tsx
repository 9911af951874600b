import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { OperationId } from '../../../openapi/contract/operations.ts';
import type { Effect, EffectName } from '../../app/faults/effects.ts';
import type { Fault, ListedFault, Timing } from '../../app/faults/fault.ts';
import { useAction } from '../shared/action.tsx';
import { announce } from '../shared/announce.tsx';
import { Button } from '../shared/button.tsx';
import { CopyMenu } from '../shared/copy-menu.tsx';
import { addFault, changeFault, withoutCounts } from '../shared/faults.ts';
import { Check, Select, TextField } from '../shared/form.tsx';
import { showWhereNarrow } from '../shared/narrow.ts';
import { chosenSandbox, sandboxes } from '../shared/sandboxes.ts';
import { goTo } from '../shared/url-state.ts';
import { operations, useContract } from '../try/contract.ts';
import {
  effectKinds,
  effectName,
  effectNames,
  effectWords,
  numberOr,
  presets,
  timings,
  toForm,
  withLabels,
} from './effects.ts';

/** The form for a new fault, with buttons for frequent ones. */
export function AddFault() {
  const sandbox = chosenSandbox.value?.id ?? '';
  const scope = sandbox === '' ? {} : { organizationId: sandbox };
  const fault = useSignal<Fault>({ effect: { latency: { fromMs: 2000, toMs: 2000 } } });
  useEffect(() => {
    const { organizationId: _, ...rest } = fault.value;
    fault.value = { ...rest, ...scope };
  }, [sandbox]);
  const add = async (given: Fault) => {
    const added = await addFault(given);
    announce(`Added ${added.id}: ${effectWords(added)}.`);
    showWhereNarrow(`article[aria-label="Fault ${added.id}"]`);
  };
  return (
    <>
      <h3>Add a fault</h3>
      <div class="row presets">
        {presets.map(({ label, fault: preset }) => (
          <Button key={label} label={label} onClick={() => (fault.value = { ...preset, ...scope })} />
        ))}
      </div>
      <FaultForm of={fault} action="Add" onSend={add} />
    </>
  );
}

/** The form for an existing fault. It does not show changes that others make meanwhile. */
export function ChangeFault({ fault: listed }: { fault: ListedFault }) {
  const fault = useSignal<Fault>(toForm(withoutCounts(listed)));
  const save = async (given: Fault) => {
    await changeFault(listed, given);
    announce(`Changed ${listed.id}.`);
    goTo('faults');
  };
  return <FaultForm of={fault} action="Save" onSend={save} />;
}

function FaultForm({ of, action, onSend }: { of: Signal<Fault>; action: string; onSend(fault: Fault): Promise<void> }) {
  const fault = of.value;
  const { run, Problem } = useAction();
  useContract();
  const send = (event: Event) => {
    event.preventDefault();
    void run(() =>
      onSend(fault).catch((error: Error) => {
        error.message = withLabels(error.message);
        throw error;
      }),
    );
  };
  // Undefined leaves a field out.
  const change: FieldsProps['change'] = (part) => {
    of.value = JSON.parse(JSON.stringify({ ...fault, ...part }));
  };
  const request = {
    ...{ method: 'POST', url: `${location.origin}/__admin/faults`, body: JSON.stringify(fault) },
    headers: [['Content-Type', 'application/json']] as const,
  };
  return (
    <form class="form" noValidate onSubmit={send}>
      <EffectFields fault={fault} change={change} />
      <TimingFields fault={fault} change={change} />
      <OperationFields fault={fault} change={change} />
      <Select
        label="Applies to calls from"
        value={fault.organizationId ?? ''}
        options={[['', 'all sandboxes'], ...sandboxes.value.map(({ id, name }) => [id, name] as const)]}
        onChange={(id) => change({ organizationId: id === '' ? undefined : id })}
      />
      <div class="row">
        <Button label={action} type="submit" class="primary" />
        <CopyMenu
          request={() => request}
          others={[['for a test', () => `mock.faults.add(${JSON.stringify(fault, undefined, 2)});`]]}
        />
      </div>
      <Problem />
    </form>
  );
}

interface FieldsProps {
  fault: Fault;
  change(part: { [Name in keyof Fault]?: Fault[Name] | undefined }): void;
}

const momentWords = {
  stops: { before: 'not made', after: 'made before the fault' },
  lets: { before: 'made after the delay', after: 'made before the delay' },
} as const;

function EffectFields({ fault, change }: FieldsProps) {
  const name = effectName(fault.effect);
  const { about, settings, moments, letsChange = false } = effectKinds[name];
  const given = Object.values(fault.effect)[0] as Record<string, number | string>;
  const set = (setting: string, text: string) => {
    const value = setting === 'contentType' ? text : numberOr(text);
    change({ effect: { [name]: { ...given, [setting]: text === '' ? undefined : value } } as unknown as Effect });
  };
  const choose = (next: EffectName) =>
    change({ effect: { [next]: effectKinds[next].preset } as unknown as Effect, moment: undefined });
  return (
    <>
      <Select
        label="Effect"
        about={about}
        value={name}
        options={effectNames.map((each) => [each, effectKinds[each].label])}
        onChange={(next) => choose(next as EffectName)}
      />
      {Object.keys(settings).length > 0 && (
        <div class="row">
          {Object.entries(settings).map(([setting, label]) => (
            <TextField
              key={setting}
              {...{ label, isNumber: setting !== 'contentType', value: String(given[setting] ?? '') }}
              onChange={(text) => set(setting, text)}
            />
          ))}
        </div>
      )}
      {moments.length > 1 && (
        <fieldset>
          <legend>If the call makes a change, the change is</legend>
          {(['before', 'after'] as const).map((moment) => (
            <Check
              key={moment}
              group="moment"
              label={momentWords[letsChange ? 'lets' : 'stops'][moment]}
              value={(fault.moment ?? moments[0]) === moment}
              onChange={() => change({ moment: moment === moments[0] ? undefined : moment })}
            />
          ))}
        </fieldset>
      )}
    </>
  );
}

/** Which of the matched calls the fault applies to. */
function TimingFields({ fault: { when }, change }: FieldsProps) {
  const [name, count] = Object.entries(when ?? { always: '' })[0] ?? [];
  const set = (timing: string, value: number | string | undefined) =>
    change({ when: value === undefined ? undefined : ({ [timing]: value } as unknown as Timing) });
  return (
    <div class="row">
      <Select
        label="Applies to"
        value={name ?? 'always'}
        options={Object.entries(timings).map(([each, { words }]) => [each, words])}
        onChange={(next) => set(next, timings[next]?.preset)}
      />
      {name !== undefined && when !== undefined && (
        <TextField
          label={timings[name]?.unit ?? ''}
          isNumber
          value={String(count)}
          onChange={(text) => set(name, numberOr(text))}
        />
      )}
    </div>
  );
}

function OperationFields({ fault: { operations: chosen = [] }, change }: FieldsProps) {
  const toggle = (id: OperationId) => {
    const others = chosen.filter((each) => each !== id);
    const next = others.length < chosen.length ? others : [...chosen, id];
    change({ operations: next.length === 0 ? undefined : next });
  };
  return (
    <fieldset>
      <legend>Operations: {chosen.length === 0 ? 'all' : 'only these'}</legend>
      <div class="many">
        {operations.value.map(({ operationId }) => (
          <Check
            key={operationId}
            label={operationId}
            value={chosen.includes(operationId)}
            onChange={() => toggle(operationId)}
          />
        ))}
      </div>
    </fieldset>
  );
}
