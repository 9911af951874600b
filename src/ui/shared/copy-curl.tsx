import { announce } from './announce.tsx';
import { CopyButton, copyText } from './copy.tsx';
import { type CopiedRequest, toCurl, toCurlForCmd } from './curl.ts';

/** Copies a request as curl, for POSIX shells or for cmd.exe. */
export function CopyCurl({ request }: { request: () => CopiedRequest }) {
  const copyForCmd = () => {
    const command = toCurlForCmd(request());
    if (command !== undefined) return copyText(command, 'curl for cmd');
    return announce('cmd cannot pass this request on: it is too long, or has a carriage return. Copy curl for POSIX.');
  };
  return (
    <>
      <CopyButton what="curl" text={() => toCurl(request())} />
      <button type="button" onClick={copyForCmd}>
        Copy curl for cmd
      </button>
    </>
  );
}
