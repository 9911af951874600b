import { type Signal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Dialog } from '../shared/dialog.tsx';
import { jsonErrorWords, parseJson } from '../shared/json-error.ts';
import { chosenSandbox, nameOfSandbox, sandboxes } from '../shared/sandboxes.ts';
import { loadSnapshot, run } from './actions.ts';
import { isFields } from './record-change.ts';

type Snapshot = Readonly<Record<string, unknown>>;

/** A snapshot read from a file. */
interface Read {
  state: Snapshot;
  file: string;
}

/** Loads a snapshot from a file. Asks first if the file replaces more than the chosen sandbox. */
export function LoadButton() {
  const input = useRef<HTMLInputElement>(null);
  const waiting = useSignal<Read | undefined>(undefined);
  const take = async () => {
    const { current } = input;
    const file = current?.files?.[0];
    if (current === null || file === undefined) return;
    // So that the same file can be chosen again. Later, it might clear the next choice.
    current.value = '';
    await run(() => loadOrAsk(file, waiting));
  };
  return (
    <>
      <button type="button" onClick={() => input.current?.click()}>
        Load snapshot
      </button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label="Snapshot to load"
        hidden
        onChange={() => void take()}
      />
      <Question
        read={waiting.value}
        onClose={() => {
          waiting.value = undefined;
        }}
      />
    </>
  );
}

async function loadOrAsk(file: File, waiting: Signal<Read | undefined>): Promise<void> {
  const read = await readSnapshot(file);
  if (replacesOthers(read.state)) waiting.value = read;
  else await loadSnapshot(read.state, read.file);
}

/** Names what a snapshot would replace besides the chosen sandbox. */
function Question({ read, onClose }: { read: Read | undefined; onClose(): void }) {
  const load = ({ state, file }: Read) => {
    onClose();
    void run(() => loadSnapshot(state, file));
  };
  return (
    <Dialog title="Load snapshot?" isOpen={read !== undefined} onClose={onClose}>
      {read !== undefined && (
        <>
          <p>
            You chose the sandbox {chosenSandbox.value?.name}. {read.file} is a snapshot of {scopeOf(read.state)}.
            Loading it replaces {replacedBy(read.state)}.
          </p>
          <div class="row">
            <button type="button" class="danger" onClick={() => load(read)}>
              Replace {scopeOf(read.state)}
            </button>
            <button type="button" onClick={onClose}>
              Cancel
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}

async function readSnapshot(file: File): Promise<Read> {
  const parsed = parseJson(await file.text());
  if ('error' in parsed) throw new Error(`${file.name} is not JSON. ${jsonErrorWords(parsed.error)}`);
  const { value } = parsed;
  if (!isFields(value) || !('revokedKeys' in value || typeof value.id === 'string'))
    throw new Error(
      `${file.name} is not a snapshot. Choose a file saved with "Save snapshot"; use a seed with --seed.`,
    );
  return { state: value, file: file.name };
}

// Only a snapshot of everything contains organizations.
function isOfAll(state: Snapshot): boolean {
  return 'organizations' in state;
}

function replacesOthers(state: Snapshot): boolean {
  return chosenSandbox.value !== undefined && (isOfAll(state) || state.id !== chosenSandbox.value.id);
}

function scopeOf(state: Snapshot): string {
  return isOfAll(state) ? 'everything' : nameOfSandbox(String(state.id));
}

function replacedBy(state: Snapshot): string {
  const names = sandboxes.value.map(({ name }) => name).join(', ');
  return isOfAll(state) ? `all sandboxes: ${names}` : `${scopeOf(state)}, not ${chosenSandbox.value?.name}`;
}
