import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ListedFault } from '../../workbench/faults/fault.ts';
import { announce } from '../shared/announce.tsx';
import { CopyButton } from '../shared/copy.tsx';
import { CopyCurl } from '../shared/copy-curl.tsx';
import { addFault, changeFault } from '../shared/faults.ts';
import { chosenSandbox } from '../shared/sandboxes.ts';
import { goTo } from '../shared/url-state.ts';
import { applied, loadContract } from '../try/contract.ts';
import { type Draft, errorsOf, newDraft, toDraft, toFault } from './draft.ts';
import { effectWords } from './effects.ts';
import { EffectFields, OperationFields, SandboxField, TimingFields } from './form-fields.tsx';
import { presets } from './presets.ts';
import { run } from './run.ts';

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
          <button
            key={label}
            type="button"
            onClick={() => {
              draft.value = make(sandbox);
            }}
          >
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
  return (
    <>
      <h3>
        Change <code>{fault.id}</code>
      </h3>
      <FaultForm draft={draft.value} onChange={(next) => (draft.value = next)} action="Save" onSend={save} />
    </>
  );
}

interface FormProps {
  draft: Draft;
  onChange(draft: Draft): void;
  action: string;
  onSend(draft: Draft): Promise<void>;
}

function FaultForm({ draft, onChange, action, onSend }: FormProps) {
  const isSent = useSignal(false);
  useEffect(() => {
    if (applied.value === undefined) void loadContract('');
  }, []);
  const errors = errorsOf(draft);
  const send = (event: Event) => {
    event.preventDefault();
    isSent.value = true;
    if (Object.keys(errors).length > 0) return announce('Not sent: see the marked fields.');
    void run(() => onSend(draft));
  };
  const change = (part: Partial<Draft>) => onChange({ ...draft, ...part });
  const fields = { draft, change, errors: isSent.value ? errors : {} };
  return (
    <form class="fault-form" noValidate onSubmit={send}>
      <EffectFields {...fields} />
      <TimingFields {...fields} />
      <OperationFields {...fields} />
      <SandboxField {...fields} />
      <div class="row">
        <button type="submit" class="primary">
          {action}
        </button>
        <CopyCurl request={() => addRequest(draft)} />
        <CopyButton
          what="for a test"
          text={() => `mock.faults.add(${JSON.stringify(toFault(draft), undefined, 2)});`}
        />
      </div>
    </form>
  );
}

function addRequest(draft: Draft) {
  const headers = [['Content-Type', 'application/json']] as const;
  return { method: 'POST', url: `${location.origin}/__admin/faults`, headers, body: JSON.stringify(toFault(draft)) };
}
