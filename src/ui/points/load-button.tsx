import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Dialog } from '../shared/dialog.tsx';
import { Notice } from '../shared/parts.tsx';
import { defaults, shown } from './in-use.ts';
import { Preview } from './preview.tsx';
import { type ReadProfile, readProfile } from './read-profile.ts';

interface LoadedFile {
  name: string;
  read: ReadProfile;
}

/** Loads a profile from a file, and shows what it would change. */
export function LoadButton() {
  const input = useRef<HTMLInputElement>(null);
  const loaded = useSignal<LoadedFile | undefined>(undefined);
  const load = async () => {
    const { current } = input;
    const file = current?.files?.[0];
    if (current === null || file === undefined) return;
    // So that the same file can be chosen again. Later, it might clear the next choice.
    current.value = '';
    loaded.value = { name: file.name, read: await readFile(file) };
  };
  const close = () => {
    loaded.value = undefined;
  };
  const pick = () => input.current?.click();
  return (
    <>
      <button type="button" onClick={pick}>
        Load a profile
      </button>
      <input
        ref={input}
        type="file"
        accept=".yaml,.yml,.json,application/yaml,application/json"
        aria-label="Profile to load"
        hidden
        onChange={() => void load()}
      />
      <Dialog title={`Load ${loaded.value?.name ?? ''}`} isOpen={loaded.value !== undefined} onClose={close}>
        {loaded.value !== undefined && <Loaded {...loaded.value} onDone={close} onAgain={pick} />}
      </Dialog>
    </>
  );
}

async function readFile(file: File): Promise<ReadProfile> {
  try {
    return readProfile(await file.text(), shown.value?.points ?? []);
  } catch {
    return { errors: ['The browser cannot read the file. It may be a folder, or it has changed: choose it again.'] };
  }
}

function Loaded({ name, read, onDone, onAgain }: LoadedFile & { onDone(): void; onAgain(): void }) {
  if ('errors' in read)
    return (
      <>
        <Notice kind="error">
          <p>{name} is not a profile that this mock can apply. Nothing was changed.</p>
          <ul class="points">
            {read.errors.map((error) => (
              <li key={error}>{error}</li>
            ))}
          </ul>
        </Notice>
        <div class="row">
          <button type="button" onClick={onAgain}>
            Choose a file
          </button>
        </div>
      </>
    );
  return (
    <>
      <p>Open points that are not in the file get their default.</p>
      <Preview profile={{ ...defaults.value, ...read.choices }} what={`Load ${name}`} onDone={onDone} />
    </>
  );
}
