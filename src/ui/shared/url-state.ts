import { computed, signal } from '@preact/signals';
import { formatPlace, type Place, parsePlace } from './place.ts';

const current = signal(parsePlace(location.hash));
addEventListener('hashchange', () => (current.value = parsePlace(location.hash)));

export const place = computed(() => current.value);

// Query parameters that all views share; the others belong to one view.
const lasting = ['sandbox'];

/** The address of a different place, for links. Shared parameters stay. */
export function linkTo(view: string, selected = '', query: Place['query'] = {}): string {
  const kept = Object.entries(current.value.query).filter(
    ([name]) => lasting.includes(name) || view === place.value.view,
  );
  return formatPlace({ view, selected, query: { ...Object.fromEntries(kept), ...query } });
}

/** Goes to a different place: one more step for the Back button. */
export function goTo(view: string, selected = ''): void {
  location.hash = linkTo(view, selected);
}

/** Goes to a different place instead of this one: no step for the Back button. */
export function replacePlace(view: string, selected: string): void {
  location.replace(linkTo(view, selected));
}

/** Changes parts of the query in place: typing adds no steps for the Back button. */
export function replaceQuery(changes: Place['query']): void {
  const { view, selected, query } = current.value;
  const next = { view, selected, query: { ...query, ...changes } };
  history.replaceState(null, '', formatPlace(next));
  current.value = parsePlace(location.hash);
}
