import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useShortcuts } from '../shared/keys.ts';
import { goTo, linkTo, place, replaceQuery } from '../shared/url-state.ts';

/** How good something is, for colours. */
export type Tone = 'good' | 'warn' | 'bad' | 'none';

/** The kinds of findings in the order in which they are listed, with their words. */
export type Kinds = readonly { kind: string; words: string; tone: Tone }[];

/** One line of the list. */
export interface Finding {
  id: string;
  kind: string;
  /** What follows the id. */
  text: string;
  /** Whether it can be shown in full. */
  isLinked?: boolean;
  /** Further text to search. */
  more?: string;
}

interface FindingsProps {
  /** What is listed, for example `checks`. */
  what: string;
  kinds: Kinds;
  findings: readonly Finding[];
  /** One of them in full; undefined if the id is unknown. */
  detailOf?(id: string): ComponentChildren;
}

/** A list by kind, with filter and search kept in the address, and one finding in full beside it. */
export function Findings({ what, kinds, findings, detailOf }: FindingsProps) {
  const { selected, query } = place.value;
  const { find = '' } = query;
  // The address may still name a kind from the previous report.
  const kind = kinds.find((one) => one.kind === query.kind)?.kind ?? '';
  const list = useRef<HTMLDivElement>(null);
  const detail = selected === '' ? undefined : detailOf?.(selected);
  const found = useMemo(() => search(findings, find), [findings, find]);
  const shown = found.filter((one) => kind === '' || one.kind === kind);
  useSteps(list, selected);
  return (
    <div class={detail === undefined ? 'findings' : 'findings has-finding'}>
      <div class="found-list" ref={list}>
        <FindRow kinds={kinds} found={found} kind={kind} find={find} what={what} />
        {shown.length === 0 && <NoneFound what={what} count={findings.length} />}
        {kinds.map((each) => (
          <Group key={each.kind} {...each} found={shown.filter((one) => one.kind === each.kind)} selected={selected} />
        ))}
      </div>
      {detail !== undefined && (
        <section class="finding" aria-label={selected} key={selected}>
          <p>
            <a href={linkTo('reports')}>Close</a>
          </p>
          {detail}
        </section>
      )}
    </div>
  );
}

function search(findings: readonly Finding[], words: string): readonly Finding[] {
  const wanted = words.toLowerCase().split(/\s+/);
  return findings.filter(({ id, text, more = '' }) => {
    const whole = `${id} ${text} ${more}`.toLowerCase();
    return wanted.every((word) => whole.includes(word));
  });
}

/** Keys that move between findings. Puts the focus on the line of the finding that was closed. */
function useSteps(list: { current: HTMLDivElement | null }, selected: string): void {
  const last = useRef('');
  const links = () => [...(list.current?.querySelectorAll<HTMLElement>('a[data-id]') ?? [])];
  const step = (by: number) => {
    const all = links();
    const at = all.findIndex(({ dataset }) => dataset.id === place.value.selected);
    const next = all[Math.max(0, Math.min(at + by, all.length - 1))];
    if (next?.dataset.id === undefined) return;
    next.scrollIntoView({ block: 'nearest' });
    goTo('reports', next.dataset.id);
  };
  useShortcuts([
    { keys: 'j', does: 'Next finding', run: () => step(1) },
    { keys: 'k', does: 'Previous finding', run: () => step(-1) },
  ]);
  useEffect(() => {
    if (selected === '' && last.current !== '')
      links()
        .find(({ dataset }) => dataset.id === last.current)
        ?.focus();
    last.current = selected;
  }, [selected]);
}

interface FindProps {
  kinds: Kinds;
  found: readonly Finding[];
  kind: string;
  find: string;
  what: string;
}

/** The kinds with their counts, one of which can be chosen, and the search. */
function FindRow({ kinds, found, kind, find, what }: FindProps) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', does: 'Search', run: () => field.current?.focus() }]);
  const counted = kinds.map((each) => ({ ...each, count: found.filter((one) => one.kind === each.kind).length }));
  return (
    <div class="row find-row">
      <fieldset class="row">
        <legend class="unseen">Show only</legend>
        <KindButton kind="" words="all" tone="none" count={found.length} isChosen={kind === ''} />
        {counted.map((each) => (
          <KindButton key={each.kind} {...each} isChosen={kind === each.kind} />
        ))}
      </fieldset>
      <label>
        Search
        <input
          ref={field}
          type="search"
          value={find}
          placeholder={`search all ${what}`}
          spellcheck={false}
          onInput={({ currentTarget }) => replaceQuery({ find: currentTarget.value })}
        />
      </label>
    </div>
  );
}

function KindButton({ kind, words, tone, count, isChosen }: Kinds[number] & { count: number; isChosen: boolean }) {
  return (
    <button
      type="button"
      class={`kind ${count === 0 ? 'none' : tone}`}
      aria-pressed={isChosen}
      onClick={() => replaceQuery({ kind })}
    >
      {count.toLocaleString('en')} {words}
    </button>
  );
}

function NoneFound({ what, count }: { what: string; count: number }) {
  const { kind, find } = place.value.query;
  if (!kind && !find) return <p class="muted">There are no {what}.</p>;
  return (
    <p class="row">
      None of {count.toLocaleString('en')} {what} matches.
      <button type="button" onClick={() => replaceQuery({ kind: '', find: '' })}>
        Show all
      </button>
    </p>
  );
}

interface GroupProps {
  words: string;
  tone: Tone;
  found: readonly Finding[];
  selected: string;
}

function Group({ words, tone, found, selected }: GroupProps) {
  if (found.length === 0) return null;
  return (
    <>
      <h3 class={`tone ${tone}`}>
        {words} <small>{found.length.toLocaleString('en')}</small>
      </h3>
      <ul class="found">
        {found.map(({ id, text, isLinked }) => (
          <li key={id}>
            {isLinked ? (
              <a href={linkTo('reports', id)} data-id={id} aria-current={id === selected ? 'true' : undefined}>
                {id}
              </a>
            ) : (
              <code>{id}</code>
            )}
            {text !== '' && <span class="muted"> {text}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}
