import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { readControl } from '../shared/control.ts';
import { CopyButton } from '../shared/copy.tsx';
import { Dialog } from '../shared/dialog.tsx';
import { Notice } from '../shared/parts.tsx';
import { chosenSandbox } from '../shared/sandboxes.ts';
import type { Choices } from './choices.ts';
import { Preview } from './preview.tsx';

/** Draws a profile from a random seed, shows what it would change, and applies it on request. */
export function DrawButton() {
  const isOpen = useSignal(false);
  const close = () => {
    isOpen.value = false;
  };
  return (
    <>
      <button
        type="button"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        Draw a profile
      </button>
      <Dialog title="Draw a profile" isOpen={isOpen.value} onClose={close}>
        <DrawForm onDone={close} />
      </Dialog>
    </>
  );
}

// Short enough to retype.
const seedLimit = 1_000_000;
const newSeed = () => String(Math.floor(Math.random() * seedLimit));

type Vary = 'hidden' | 'visible';

function DrawForm({ onDone }: { onDone(): void }) {
  const seed = useSignal(newSeed());
  const vary = useSignal<Vary>('hidden');
  const { drawn, error } = useDrawn(seed.value, vary.value);
  return (
    <>
      <p>Picks legal choices at random. The same number always gives the same profile; share it when a test fails.</p>
      <div class="row">
        <SeedField seed={seed} />
        <VisibleField vary={vary} />
      </div>
      {error !== '' && <Notice kind="error">{error}</Notice>}
      {drawn !== undefined && (
        <>
          <Preview profile={drawn} what={`Draw profile ${seed.value}`} onDone={onDone} />
          <StartWords text={startWords(vary.value, seed.value)} />
        </>
      )}
    </>
  );
}

function StartWords({ text }: { text: string }) {
  return (
    <p class="row">
      <span class="muted">Start a mock with it:</span> <code>{text}</code>
      <CopyButton what="flags" text={() => text} />
    </p>
  );
}

function VisibleField({ vary }: { vary: Signal<Vary> }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={vary.value === 'visible'}
        onChange={({ currentTarget }) => {
          vary.value = currentTarget.checked ? 'visible' : 'hidden';
        }}
      />
      Include visible open points, which a client may notice
    </label>
  );
}

function startWords(vary: Vary, seed: string): string {
  return `--vary=${vary} --random-seed=${seed}`;
}

function SeedField({ seed }: { seed: Signal<string> }) {
  const set = (text: string) => {
    seed.value = text;
  };
  return (
    <>
      <label class="check">
        Random seed
        <input
          type="number"
          step={1}
          value={seed.value}
          required
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      </label>
      <button type="button" onClick={() => set(newSeed())}>
        Another
      </button>
    </>
  );
}

/** The profile that a random seed draws for the chosen sandbox, or the error in the seed. */
function useDrawn(seed: string, vary: Vary): { drawn: Choices | undefined; error: string } {
  const drawn = useSignal<Choices | undefined>(undefined);
  const error = useSignal('');
  const organization = chosenSandbox.value?.id;
  useEffect(() => {
    const stop = new AbortController();
    draw(organization, seed, vary, stop.signal).then(
      (profile) => {
        drawn.value = profile;
        error.value = '';
      },
      (problem: Error) => {
        if (stop.signal.aborted) return;
        drawn.value = undefined;
        error.value = problem.message;
      },
    );
    return () => stop.abort();
  }, [organization, seed, vary]);
  return { drawn: drawn.value, error: error.value };
}

async function draw(organization: string | undefined, seed: string, vary: Vary, signal: AbortSignal) {
  if (!/^-?\d+$/.test(seed) || !Number.isSafeInteger(Number(seed)))
    throw new Error('The random seed must be a whole number of up to 15 digits. Type one, or press Another.');
  const scope = organization === undefined ? {} : { organization };
  const query = new URLSearchParams({ ...scope, vary, randomSeed: String(Number(seed)) });
  return (await readControl<{ profile: Choices }>(`/drawn-profile?${query}`, { signal })).profile;
}
