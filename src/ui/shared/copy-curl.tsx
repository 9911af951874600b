import { announce } from './announce.tsx';
import { copyText } from './copy.tsx';
import { type CopiedRequest, hasLostSecret, keyVariable, toCurl, toCurlForCmd } from './curl.ts';

/** Copies a request as curl, for POSIX shells or cmd.exe, and says what to set if its key is no longer known. */
export function CopyCurl({ request }: { request: () => CopiedRequest }) {
  const setFirst = hasLostSecret(request());
  const copy = (command: string, what: string) =>
    copyText(command, what, setFirst ? `Set ${keyVariable} to your key before you run it.` : '');
  const copyForCmd = () => {
    const command = toCurlForCmd(request());
    if (command !== undefined) return copy(command, 'curl for cmd');
    return announce('cmd cannot send this request: it is too long, or has a carriage return. Use Copy curl instead.');
  };
  return (
    <>
      <button type="button" onClick={() => copy(toCurl(request()), 'curl')}>
        Copy curl
      </button>
      <button type="button" onClick={copyForCmd}>
        Copy curl for cmd
      </button>
      {setFirst && <SetKey />}
    </>
  );
}

/** Says where a copied command takes the key from. */
export function SetKey() {
  return (
    <span class="muted">
      Set your key in <code>{keyVariable}</code>.
    </span>
  );
}
