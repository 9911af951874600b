import { warn } from './announce.tsx';
import { useCopy } from './copy.tsx';
import { type CopiedRequest, hasLostSecret, keyVariable, toCurl, toCurlForCmd } from './curl.ts';
import { Menu } from './dialog.tsx';

interface MenuProps {
  request: () => CopiedRequest;
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
      <button type="button" onClick={() => copy(toCurl(request()), 'curl', more())}>
        curl
      </button>
      <button type="button" onClick={copyForCmd}>
        curl for cmd
      </button>
      {others.map(([what, text]) => (
        <button key={what} type="button" onClick={() => copy(text(), what)}>
          {what}
        </button>
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
