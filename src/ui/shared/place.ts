import { decodePart } from '../../../lib/query.ts';

/** The place of the page, from its address: `#/traffic/12?filter=status:4xx&sandbox=…`. Never holds an API key. */
export interface Place {
  view: string;
  /** What is selected in the view; empty if nothing is. */
  selected: string;
  query: Readonly<Record<string, string>>;
}

export function parsePlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s);
  const [view = '', ...rest] = path.split('/');
  const text = rest.join('/');
  return { view, selected: decodePart(text) ?? text, query: Object.fromEntries(new URLSearchParams(query)) };
}

/** Writes the hash of an address; empty values are left out. */
export function formatPlace({ view, selected, query }: Place): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== '');
  const search = new URLSearchParams(pairs).toString();
  const path = selected === '' ? view : [view, ...selected.split('/').map(encodeURIComponent)].join('/');
  return `#/${path}${search === '' ? '' : `?${search}`}`;
}
