import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useAction } from '../shared/action.tsx';
import { Button } from '../shared/button.tsx';
import { readControl } from '../shared/control.ts';
import { CopyButton, download } from '../shared/copy.tsx';
import { Dialog } from '../shared/dialog.tsx';
import { bound, Check, FileButton, Select, TextField } from '../shared/form.tsx';
import { Command, Notice, Pre, Tag } from '../shared/parts.tsx';
import { chosenSandbox } from '../shared/sandboxes.ts';
import { plural } from '../shared/words.ts';
import { type Choices, refusalOf, whyFixed } from './choices.ts';
import { changeProfile, choicesInUse, defaults, points, whose } from './in-use.ts';
import { type FormatName, formats, type ReadProfile, readProfile } from './profile-text.ts';
import { differing } from './take-back.ts';

// Short enough to retype.
const newSeed = () => String(Math.floor(Math.random() * 1_000_000));

/** Draws a profile from a random seed, shows what it would change, and applies it on request. */
export function DrawForm({ onDone }: { onDone(): void }) {
  const seed = useSignal(newSeed());
  const isAll = useSignal(false);
  const drawn = useSignal<Choices | undefined>(undefined);
  const error = useSignal('');
  const vary = isAll.value ? 'visible' : 'hidden';
  const organization = chosenSandbox.value?.id;
  useEffect(() => {
    const stop = new AbortController();
    const scope = organization === undefined ? {} : { organization };
    const query = new URLSearchParams({ ...scope, vary, randomSeed: seed.value });
    readControl<{ profile: Choices }>(`/drawn-profile?${query}`, { signal: stop.signal }).then(
      ({ profile }) => {
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
  }, [organization, seed.value, vary]);
  return (
    <>
      <p>Picks legal choices at random. The same number always gives the same profile; share it when a test fails.</p>
      <div class="row">
        <TextField label="Random seed" isNumber {...bound(seed)} />
        <Button label="Another" onClick={() => (seed.value = newSeed())} />
      </div>
      <Check label="Include visible open points, which a client may notice" {...bound(isAll)} />
      {error.value !== '' && <Notice kind="error">{error.value}</Notice>}
      {drawn.value !== undefined && (
        <>
          <Preview profile={drawn.value} what={`Draw profile ${seed.value}`} onDone={onDone} />
          <p class="muted">Start a mock with it:</p>
          <Command what="flags" text={`--vary=${vary} --random-seed=${seed.value}`} />
        </>
      )}
    </>
  );
}

export function LoadButton() {
  const loaded = useSignal<{ name: string; read: ReadProfile } | undefined>(undefined);
  const close = () => {
    loaded.value = undefined;
  };
  const load = async (file: File) => {
    loaded.value = { name: file.name, read: readProfile(await file.text(), points.value ?? []) };
  };
  const { name = '', read = { errors: [] } } = loaded.value ?? {};
  return (
    <>
      <FileButton
        label="Load a profile"
        name="Profile to load"
        accept=".yaml,.yml,.json,application/yaml,application/json"
        onFile={load}
      />
      <Dialog title={`Load ${name}`} isOpen={loaded.value !== undefined} onClose={close}>
        {'errors' in read ? (
          <Notice kind="error">
            <p>{name} is not a profile that this mock can apply. Nothing was changed.</p>
            <ul class="points">
              {read.errors.map((error) => (
                <li key={error}>{error}</li>
              ))}
            </ul>
          </Notice>
        ) : (
          <>
            <p>Open points that are not in the file get their default.</p>
            <Preview profile={{ ...defaults.value, ...read.choices }} what={`Load ${name}`} onDone={close} />
          </>
        )}
      </Dialog>
    </>
  );
}

interface PreviewProps {
  profile: Choices;
  /** What is done, in words: `Load my.yaml`. */
  what: string;
  onDone(): void;
}

function Preview({ profile, what, onDone }: PreviewProps) {
  const { run, Problem } = useAction();
  const rows = (points.value ?? []).flatMap((point) => {
    const then = profile[point.id] ?? point.default;
    return then === point.now ? [] : [{ point, then, refusal: whyFixed(point) ?? refusalOf(point, then) }];
  });
  const changing = rows.filter(({ refusal }) => refusal === undefined);
  const apply = () => changeProfile(what, Object.fromEntries(changing.map(({ point, then }) => [point.id, then])));
  return (
    <>
      {rows.length === 0 ? (
        <p>Nothing would change: these choices are already in use.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        <section class="rows" tabIndex={0} aria-label="What would change">
          <table>
            <thead>
              <tr>
                <th>Open point</th>
                <th>Now</th>
                <th>Then</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ point, then, refusal }) => (
                <tr key={point.id}>
                  <th scope="row">
                    <code>{point.id}</code> {point.impact === 'hidden' && <Tag>hidden</Tag>}
                  </th>
                  <td>
                    <code>{point.now}</code>
                  </td>
                  <td>
                    {refusal === undefined ? <code>{then}</code> : <span class="warn">stays as it is. {refusal}</span>}{' '}
                    {refusal === undefined && then === point.default && <Tag>default</Tag>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <Problem lead="Nothing was changed." />
      <div class="row">
        <Button
          label={`Change ${plural(changing.length, 'choice')} for ${whose.value}`}
          class="primary"
          disabled={changing.length === 0}
          onClick={() => run(() => apply().then(onDone))}
        />
        <span class="muted">Undo reverts it in one step.</span>
      </div>
    </>
  );
}

/** Shows the profile in use as a file, as flags or as code, to save or copy. */
export function ExportForm() {
  const chosen = useSignal('yaml');
  const isWhole = useSignal(false);
  const format = formats[chosen.value as FormatName];
  const changed = differing(defaults.value, choicesInUse.value);
  const text = format.write(isWhole.value ? choicesInUse.value : changed);
  return (
    <>
      <Select
        label="Form"
        options={Object.entries(formats).map(([name, each]) => [name, each.name])}
        {...bound(chosen)}
      />
      <Check
        label={`All ${Object.keys(choicesInUse.value).length} choices, not only the ${Object.keys(changed).length} that differ from the default`}
        {...bound(isWhole)}
      />
      <Pre text={text || 'Nothing: each open point has its default.'} />
      <p class="muted">{format.help}</p>
      <div class="row">
        {'file' in format && (
          <Button
            label={`Save ${format.file}`}
            class="primary"
            onClick={() => download(format.file, text, 'text/plain')}
          />
        )}
        <CopyButton what={format.name} text={() => text} />
      </div>
    </>
  );
}
