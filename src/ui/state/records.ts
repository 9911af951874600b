import { computed, effect, signal } from '@preact/signals';
import { decodePart } from '../../../lib/query.ts';
import type { ShownAgent } from '../../app/admin-api/agent-handlers.ts';
import type { ShownDrive, ShownFile } from '../../app/admin-api/file-handlers.ts';
import type { ShownServer } from '../../app/admin-api/mcp-server-handlers.ts';
import type { RequestLogEntry } from '../../app/request-log.ts';
import { isGone, readAll } from '../shared/control.ts';
import { chosenSandbox, loadSandboxes, sandboxes } from '../shared/sandboxes.ts';
import { placeOf } from '../shared/state-undo.ts';
import { createStore } from '../shared/store.ts';
import { linkTo, place } from '../shared/url-state.ts';

/** The tabs of the view, by their names in admin API paths. */
export const sections = {
  sandboxes: 'Sandboxes',
  agents: 'Agents',
  drives: 'Drives',
  'mcp-servers': 'MCP servers',
  keys: 'Keys',
} as const;
export type Section = keyof typeof sections;

/** A key; its id is its name too, as every record has both. */
export interface KeyRecord extends Record<'id' | 'name' | 'keyId' | 'key', string> {}

interface Lists {
  agents: readonly ShownAgent[];
  drives: readonly ShownDrive[];
  'mcp-servers': readonly ShownServer[];
  keys: readonly KeyRecord[];
}

/** The sandbox whose records are shown: the chosen one, or the first. */
export const shownSandbox = computed(() => chosenSandbox.value ?? sandboxes.value[0]);

/** What is selected: `/drives/<id>/files/<id>`; only the section if nothing is. */
export const selectedPlace = computed(() => `/${place.value.selected}`);

/** The names and ids in the place that is selected. */
export const steps = computed(() => {
  const parts = selectedPlace.value.split('/').slice(1);
  return parts.map((part) => decodePart(part) ?? part);
});

/** The section that the address names, or the first one with records. */
export const shownSection = computed<Section>(() => {
  const [named = ''] = steps.value;
  return Object.hasOwn(sections, named) ? (named as Section) : 'agents';
});

/** The address of a section, without the search and the order of the one that is shown. */
export function linkToSection(section: Section, query: Readonly<Record<string, string>> = {}): string {
  return linkTo('state', section, { find: '', sort: '', ...query });
}

/** Drives that are open in the tree: their files are loaded. */
export const openDrives = signal<ReadonlySet<string>>(new Set());

interface Held {
  organization: string;
  lists: Partial<Lists>;
  /** By drive. */
  files: ReadonlyMap<string, readonly ShownFile[]>;
}

const nothing: Held = { organization: '', lists: {}, files: new Map() };
const held = signal<Held>(nothing);

/** The data of the sandbox; they stay until newer data have arrived. */
export const shownData = computed(() => (held.value.organization === shownSandbox.value?.id ? held.value : nothing));

/** The shown data, loaded again when they change. */
export const records = createStore({
  load,
  isChange: ({ name, data }) => name === 'change' || (name === 'exchange' && mayChange(JSON.parse(data))),
});

async function load(): Promise<void> {
  await loadSandboxes();
  const organization = shownSandbox.value?.id;
  const section = shownSection.value;
  if (organization === undefined || section === 'sandboxes') return;
  try {
    held.value = await loadSection(organization, section);
  } catch (error) {
    if (!isGone(error)) throw error;
    // If it was removed meanwhile, a different view of the state is shown, and nothing is wrong.
    await loadSandboxes();
    if (shownSandbox.value?.id === organization) throw error;
  }
}

async function loadSection(organization: string, section: keyof Lists): Promise<Held> {
  const list = await readAll<never>(placeOf('organizations', organization, section));
  if (section === 'keys') for (const key of list as KeyRecord[]) Object.assign(key, { id: key.keyId, name: key.keyId });
  const files = section === 'drives' ? await loadFiles(organization, list) : new Map();
  const earlier = held.value.organization === organization ? held.value.lists : {};
  return { organization, lists: { ...earlier, [section]: list }, files };
}

async function loadFiles(organization: string, drives: readonly ShownDrive[]): Promise<Held['files']> {
  const wanted = drives.filter(({ id }) => id === steps.value[1] || openDrives.value.has(id));
  const files = new Map<string, ShownFile[]>();
  for (const { id } of wanted) {
    const path = placeOf('organizations', organization, 'drives', id, 'files');
    // The drive may have been removed after the list was read.
    const all = await readAll<ShownFile>(path).catch((error) => {
      if (isGone(error)) return [];
      throw error;
    });
    files.set(id, all);
  }
  return files;
}

/** Follows changes, by others or automatic ones, until the returned function is called. */
export function followChanges(): () => void {
  const close = records.follow();
  const stopWaiting = effect(() => waitForNextStatus(held.value.files));
  return () => {
    stopWaiting();
    close();
  };
}

const longestWaitMs = 3_600_000;

// No event announces that a file has changed its status. With a frozen clock, that time may be long past or far away.
function waitForNextStatus(files: Held['files']): (() => void) | undefined {
  const times = [...files.values()].flat().map(({ becomes }) => Date.parse(becomes?.at ?? '') - Date.now());
  const nextMs = times.reduce((least, ms) => (ms > 0 && ms < least ? ms : least), longestWaitMs);
  if (nextMs === longestWaitMs) return undefined;
  const timer = setTimeout(records.refreshSoon, nextMs);
  return () => clearTimeout(timer);
}

function mayChange({ request, answer }: RequestLogEntry): boolean {
  return request.method !== 'GET' && answer.status > 0 && answer.status < 400;
}
