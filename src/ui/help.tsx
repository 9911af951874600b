import { useSignal } from '@preact/signals';
import { Button } from './shared/button.tsx';
import { index } from './shared/control.ts';
import { Dialog } from './shared/dialog.tsx';
import { bound, Check } from './shared/form.tsx';
import { hasSingleKeys, shortcuts, useShortcuts } from './shared/keys.ts';
import { Facts } from './shared/parts.tsx';
import { meanings } from './shared/words.ts';

/** The button of the help, which lists the shortcuts that work now. */
export function HelpButton() {
  const isOpen = useSignal(false);
  const show = () => {
    isOpen.value = true;
  };
  useShortcuts([{ keys: '?', does: 'Show this help', run: show }]);
  const { baseUrl, upstream, contract } = index.value ?? {};
  return (
    <>
      <Button label="?" class="icon" aria-label="Help" title="Help" onClick={show} />
      <Dialog title="Help" isOpen={isOpen.value} onClose={() => (isOpen.value = false)}>
        <Facts
          of={{
            'Base URL': baseUrl && <code>{baseUrl}</code>,
            Upstream: upstream && <code>{upstream}</code>,
            'Contract under the current profile': contract && (
              <>
                <a href={contract.json}>JSON</a>, <a href={contract.yaml}>YAML</a>
              </>
            ),
          }}
        />
        <h3>Words</h3>
        <Facts of={meanings} />
        <h3>Keys</h3>
        <Facts of={Object.fromEntries(shortcuts.value.map(({ keys, does }) => [does, <kbd key={keys}>{keys}</kbd>]))} />
        <Check label="Single-key shortcuts" {...bound(hasSingleKeys)} />
      </Dialog>
    </>
  );
}
