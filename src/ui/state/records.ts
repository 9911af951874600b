import { computed, effect, signal } from '@preact/signals';
import type { RequestLogEntry } from '../../workbench/request-log.ts';
import { ControlError } from '../shared/control.ts';
import { createFollowed } from '../shared/followed.ts';
import { readAll } from '../shared/read-all.ts';
import { chosenSandbox, loadSandboxes } from '../shared/sandboxes.ts';
import { placeOf } from '../shared/state-parts.ts';
import { place } from '../shared/url-state.ts';
import type { AgentRecord, DriveRecord, FileRecord, KeyRecord, ServerRecord } from './record-types.ts';

/** The sections of the view, by their names in admin API paths. */
export const sections = { agents: 'Agents', drives: 'Drives', 'mcp-servers': 'MCP servers', keys: 'Keys' } as const;
export type Section = keyof typeof sections;

interface Lists {
  agents: readonly AgentRecord[];
  drives: readonly DriveRecord[];
  'mcp-servers': readonly ServerRecord[];
  keys: readonly KeyRecord[];
}

/** What is selected: `/drives/<id>/files/<id>`; only the section if nothing is. */
export const selectedPlace = computed(() => `/${place.value.selected}`);

/** The names and ids in a place. */
export function stepsOf(where: string): string[] {
  return where.split('/').slice(1).map(decode);
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** The section that the address names, or the first one. */
export const shownSection = computed<Section>(() => {
  const [named = ''] = stepsOf(selectedPlace.value);
  return named in sections ? (named as Section) : 'agents';
});

/** Drives that are open in the tree: their files are loaded. */
export const openDrives = signal<ReadonlySet<string>>(new Set());

interface Held {
  organization: string;
  lists: Partial<Lists>;
  /** By drive. */
  files: ReadonlyMap<string, readonly FileRecord[]>;
}

const nothing: Held = { organization: '', lists: {}, files: new Map() };
const held = signal<Held>(nothing);

/** The data of the chosen organization; they stay until newer data have arrived. */
export const shownData = computed(() => (held.value.organization === chosenSandbox.value?.id ? held.value : nothing));

/** The shown data, reloaded when they change. */
export const followed = createFollowed({
  load,
  isChange: ({ name, data }) => name === 'change' || (name === 'exchange' && mayChange(JSON.parse(data))),
});

export const { refresh } = followed;

async function load(): Promise<void> {
  await loadSandboxes();
  const organization = chosenSandbox.value?.id;
  if (organization === undefined) return;
  try {
    held.value = await loadSection(organization, shownSection.value);
  } catch (error) {
    if (!isGone(error)) throw error;
    // If it was removed meanwhile, a different view of the state is shown, and nothing is wrong.
    await loadSandboxes();
    if (chosenSandbox.value?.id === organization) throw error;
  }
}

async function loadSection(organization: string, section: Section): Promise<Held> {
  const list = await readAll<never>(placeOf('organizations', organization, section));
  const files = section === 'drives' ? await loadFiles(organization, list) : new Map();
  const earlier = held.value.organization === organization ? held.value.lists : {};
  return { organization, lists: { ...earlier, [section]: list }, files };
}

async function loadFiles(organization: string, drives: readonly DriveRecord[]): Promise<Held['files']> {
  const [, selectedDrive = ''] = stepsOf(selectedPlace.value);
  const wanted = drives.filter(({ id }) => id === selectedDrive || openDrives.value.has(id));
  const files = new Map<string, FileRecord[]>();
  for (const { id } of wanted) {
    const all = await readAll<FileRecord>(placeOf('organizations', organization, 'drives', id, 'files')).catch(onGone);
    files.set(id, all);
  }
  return files;
}

// The drive was removed after the list was read.
function onGone(error: unknown): FileRecord[] {
  if (isGone(error)) return [];
  throw error;
}

function isGone(error: unknown): boolean {
  return error instanceof ControlError && error.status === 404;
}

/** Follows changes, by others or automatic ones, until the returned function is called. */
export function followChanges(): () => void {
  const close = followed.follow();
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
  const timer = setTimeout(followed.refreshSoon, nextMs);
  return () => clearTimeout(timer);
}

function mayChange({ request, answer, organizationId }: RequestLogEntry): boolean {
  const isHere = chosenSandbox.value === undefined || organizationId === chosenSandbox.value.id;
  return request.method !== 'GET' && answer.status > 0 && answer.status < 400 && isHere;
}
