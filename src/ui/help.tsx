import { useSignal } from '@preact/signals';
import { index } from './shared/control.ts';
import { Dialog } from './shared/dialog.tsx';
import { hasSingleKeys, shortcuts, useShortcuts } from './shared/keys.ts';
import { type Theme, theme, themeNames } from './shared/theme.ts';

/** The button of the help, which lists the shortcuts that work now. */
export function HelpButton() {
  const isOpen = useSignal(false);
  const show = () => {
    isOpen.value = true;
  };
  useShortcuts([{ keys: '?', does: 'Show this help', run: show }]);
  return (
    <>
      <button type="button" onClick={show}>
        Help
      </button>
      <Dialog
        title="Help"
        isOpen={isOpen.value}
        onClose={() => {
          isOpen.value = false;
        }}
      >
        <Links />
        <ThemeChoice />
        <Keys />
      </Dialog>
    </>
  );
}

function Links() {
  if (index.value === undefined) return null;
  const { baseUrl, upstream, contract } = index.value;
  return (
    <dl class="facts">
      <dt>Base URL</dt>
      <dd>
        <code>{baseUrl}</code>
      </dd>
      {upstream && (
        <>
          <dt>Upstream</dt>
          <dd>
            <code>{upstream}</code>
          </dd>
        </>
      )}
      {contract && (
        <>
          <dt>Contract under the current profile</dt>
          <dd>
            <a href={contract.json}>JSON</a>, <a href={contract.yaml}>YAML</a>
          </dd>
        </>
      )}
    </dl>
  );
}

function Keys() {
  return (
    <>
      <h3>Keys</h3>
      <dl class="facts keys">
        {shortcuts.value.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={hasSingleKeys.value}
          onChange={({ currentTarget }) => {
            hasSingleKeys.value = currentTarget.checked;
          }}
        />
        Single-key shortcuts
      </label>
    </>
  );
}

function ThemeChoice() {
  return (
    <label class="check">
      Colours
      <select
        value={theme.value}
        onChange={({ currentTarget }) => {
          theme.value = currentTarget.value as Theme;
        }}
      >
        {themeNames.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
