import { type Signal, useSignal } from '@preact/signals';
import { CopyButton, download } from '../shared/copy.tsx';
import { Dialog } from '../shared/dialog.tsx';
import { choicesInUse, defaults } from './in-use.ts';
import { differing } from './take-back.ts';
import { formats } from './write-profile.ts';

/** Shows the profile in use as a file, as flags or as code, to save or copy. */
export function ExportButton() {
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        Export
      </button>
      <Dialog
        title="Export the profile"
        isOpen={isOpen.value}
        onClose={() => {
          isOpen.value = false;
        }}
      >
        <ExportForm />
      </Dialog>
    </>
  );
}

type FormatName = keyof typeof formats;

function ExportForm() {
  const chosen = useSignal<FormatName>('yaml');
  const isWhole = useSignal(false);
  const format = formats[chosen.value];
  const changed = differing(defaults.value, choicesInUse.value);
  const text = format.write(isWhole.value ? choicesInUse.value : changed);
  return (
    <>
      <FormatChoice chosen={chosen} />
      <WholeChoice isWhole={isWhole} changed={Object.keys(changed).length} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <pre class="export" tabIndex={0}>
        {text || 'Nothing: each open point has its default.'}
      </pre>
      <p class="muted">{format.help}</p>
      <div class="row">
        {'file' in format && (
          <button type="button" class="primary" onClick={() => download(format.file, text, 'text/plain')}>
            Save {format.file}
          </button>
        )}
        <CopyButton what={format.name} text={() => text} />
      </div>
    </>
  );
}

function FormatChoice({ chosen }: { chosen: Signal<FormatName> }) {
  return (
    <fieldset>
      <legend>Form</legend>
      <div class="row">
        {(Object.keys(formats) as FormatName[]).map((name) => (
          <label class="check" key={name}>
            <input
              type="radio"
              name="format"
              checked={name === chosen.value}
              onChange={() => {
                chosen.value = name;
              }}
            />
            {formats[name].name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function WholeChoice({ isWhole, changed }: { isWhole: Signal<boolean>; changed: number }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isWhole.value}
        onChange={({ currentTarget }) => {
          isWhole.value = currentTarget.checked;
        }}
      />
      All {Object.keys(choicesInUse.value).length} choices, not only the {changed} that differ from the default
    </label>
  );
}
