import type { CurlRequest } from '../../../lib/curl.ts';
import { warn } from './announce.tsx';
import { Button } from './button.tsx';
import { useCopy } from './copy.tsx';
import { hasLostSecret, keyVariable, toCurl, toCurlForCmd } from './curl.ts';
import { Menu } from './dialog.tsx';

interface MenuProps {
  request: () => CurlRequest;
  /** Other forms: what is copied, and its text. */
  others?: readonly (readonly [what: string, text: () => string])[];
}

/** Copies a request: as curl for POSIX shells or cmd.exe, or in other forms. Says what to set if its key is lost. */
export function CopyMenu({ request, others = [] }: MenuProps) {
  const [isCopied, copy] = useCopy();
  const more = () => (hasLostSecret(request()) ? `Set ${keyVariable} to your key before you run it.` : '');
  const copyForCmd = () => {
    const command = toCurlForCmd(request());
    if (command !== undefined) return copy(command, 'curl for cmd', more());
    return warn('cmd cannot send this request: it is too long, or has a carriage return. Use curl instead.');
  };
  return (
    <Menu label={isCopied ? 'Copied' : 'Copy'}>
      <Button label="curl" onClick={() => copy(toCurl(request()), 'curl', more())} />
      <Button label="curl for cmd" onClick={copyForCmd} />
      {others.map(([what, text]) => (
        <Button key={what} label={what} onClick={() => copy(text(), what)} />
      ))}
      {hasLostSecret(request()) && <SetKey />}
    </Menu>
  );
}

/** Says where a copied command takes the key from. */
export function SetKey() {
  return (
    <p class="muted">
      Set your key in <code>{keyVariable}</code>.
    </p>
  );
}
