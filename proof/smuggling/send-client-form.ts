import { exchange, headerOf, type RawReply } from '../../test/support/raw-http.ts';
import type { WireRequest } from '../../test/support/wire-upstream.ts';
import type { ClientForm } from './form.ts';
import { carryOut, type InUse, type Stage, statusesOf } from './stage.ts';
import { unlike } from './unlike.ts';

/** Sends a form through a proxy that reads bodies up to a limit, and says what became of it. */
export function sendClientForm(form: ClientForm, judgeLimitBytes: number): Promise<InUse> {
  const { arrives, bytes, isHalfClosed = false } = form;
  const methods = arrives.length === 0 ? ['POST'] : arrives.map(({ method }) => method);
  return carryOut(
    { judgeLimitBytes },
    ({ proxy }) => exchange(proxy.url, Buffer.from(bytes, 'latin1'), { methods, isHalfClosed }),
    (stage, reply, sent) => [
      ...judgeRequests(form, stage, sent, judgeLimitBytes === 0),
      ...(arrives.length === 0 ? judgeRefusal(form, reply, judgeLimitBytes === 0) : judgeAnswers(form, reply)),
    ],
  );
}

const isRefused = (kind: string | undefined) => kind === 'malformedRequest' || kind === 'clientGone';

function judgeRequests(
  form: ClientForm,
  { upstream, proxy }: Stage,
  sent: WireRequest[],
  isStreamed: boolean,
): string[] {
  const told = proxy.requestLog.entries.filter(
    ({ path, failure }) => !path.includes('?own=') && !isRefused(failure?.kind),
  );
  const whole = sent.filter(({ isWhole }) => isWhole);
  const got = whole.map(({ method, target, body }) => ({ method, target, body }));
  const keys = whole.map(({ headers }) => headers.filter(([name]) => name === 'x-api-key').length);
  const begun = sent.length - whole.length;
  return [
    ...upstream.requests.flatMap((request) => ambiguitiesOf(request, new URL(upstream.url).host)),
    ...unlike('the upstream got', got, form.arrives),
    ...unlike('the request log shows', told.length, form.arrives.length),
    ...unlike(
      'keys in each request',
      keys,
      form.arrives.map(() => 1),
    ),
    ...unlike('requests that were broken off', begun, isStreamed && form.isLate ? Math.min(begun, 1) : 0),
  ];
}

function judgeAnswers({ arrives }: ClientForm, reply: RawReply): string[] {
  const bodies = reply.answers.map(({ body }) => body.toString());
  const expected = arrives.map(({ method, target }) => (method === 'HEAD' ? '' : JSON.stringify({ target })));
  return [
    ...unlike(
      'the client got',
      statusesOf(reply),
      arrives.map(() => 200),
    ),
    ...unlike('the client got', bodies, expected),
  ];
}

// By the time a streamed body shows its flaw, there may be an answer on its way: then the connection ends.
function judgeRefusal(form: ClientForm, reply: RawReply, isStreamed: boolean): string[] {
  const [first] = reply.answers;
  const isLast = reply.isClosed || (first !== undefined && headerOf(first, 'connection') === 'close');
  const statuses = statusesOf(reply);
  const mayBeSilent = form.isHalfClosed || (isStreamed && form.isLate);
  const expected = mayBeSilent && statuses.length === 0 ? [] : [form.refusal];
  return [...unlike('the client got', statuses, expected), ...(isLast ? [] : ['the connection stays open'])];
}

const inHeadOnly = ['authorization', 'content-length', 'content-type', 'host', 'transfer-encoding', 'x-api-key'];

/** Why two servers could read a message differently; empty if it is unambiguous. */
function ambiguitiesOf({ line, headers, trailers }: WireRequest, host: string): string[] {
  const alike = (name: string) => headers.filter(([each]) => each.replaceAll('_', '-') === name);
  const framing = [...alike('content-length'), ...alike('transfer-encoding')];
  const isClear = framing.every(([name, value]) =>
    name === 'content-length' ? /^(0|[1-9]\d*)$/.test(value) : name === 'transfer-encoding' && value === 'chunked',
  );
  const rules: [broken: boolean, what: string][] = [
    [!/^[!#$%&'*+.^`|~\w-]+ [\x21-\x7e]+ HTTP\/1\.1$/.test(line), `an odd request line, ${JSON.stringify(line)}`],
    [headers.some(([name]) => !/^[!#$%&'*+.^`|~\w-]+$/.test(name)), 'an odd header name'],
    [trailers.some(([name]) => !/^[!#$%&'*+.^`|~\w-]+$/.test(name)), 'an odd trailer name'],
    [framing.length > 1, 'several framings'],
    [!isClear, 'an odd framing'],
    [alike('host').length !== 1 || alike('host')[0]?.[1] !== host, 'not the host of the upstream'],
    [['upgrade', 'te', 'keep-alive', 'proxy-connection'].some((name) => alike(name).length > 0), 'a hop-by-hop header'],
    [alike('expect').some(([, value]) => value.includes('100-continue')), 'an expectation that the proxy has met'],
    [trailers.some(([name]) => inHeadOnly.includes(name)), 'trailers that belong into the head'],
    [alike('trailer').length > 0 && alike('transfer-encoding').length === 0, 'Trailer without chunks'],
    [/(^|,)\s*content-length/i.test(alike('connection').join()), 'Connection names the framing'],
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
    [headers.some((pair) => /[\r\n\x00]/.test(pair.join())), 'control characters'],
  ];
  return rules.filter(([broken]) => broken).map(([, what]) => `${what}: ${JSON.stringify([headers, trailers])}`);
}
