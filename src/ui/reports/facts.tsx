import type { ComponentChildren } from 'preact';
import { CopyButton } from '../shared/copy.tsx';
import type { Tone } from './findings.tsx';

/** Names with their values; those without a value are left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== undefined && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A command with a copy button. */
export function Command({ text, what = 'command' }: { text: string; what?: string }) {
  return (
    <div class="command">
      <code>{text}</code>
      <CopyButton what={what} text={() => text} />
    </div>
  );
}

/** A verdict in one word, and a sentence that explains it. */
export function Verdict({ word, tone, children }: { word: string; tone: Tone; children: ComponentChildren }) {
  return (
    <p class="verdict">
      <strong class={`tone ${tone}`}>{word}</strong> {children}
    </p>
  );
}

/** `1 check`, `1,200 checks`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** `340 ms`, `12.4 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1_000);
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `2026-11-23 20:33`, in the report's time zone. */
export function moment(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}
