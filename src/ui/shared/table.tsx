import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';
import { useShortcuts } from './keys.ts';
import { createWindow, rowHeight } from './row-window.ts';
import { place, replaceQuery } from './url-state.ts';

/** A column. The first one holds the link of its row. */
export interface Column<T> {
  name: string;
  cell(item: T): ComponentChildren;
  /** What its rows are sorted by; absent if they cannot be. */
  sort?(item: T): string | number;
  /** In CSS; absent for the column that takes the room. */
  width?: string;
  isNumber?: boolean;
  /** Whether it stays where there is little room. */
  isKept?: boolean;
}

/** A row: a record, or a line of a tree. */
export interface Row<T> {
  id: string;
  item: T;
  /** Where it leads; absent for a line that is only opened and closed. */
  href?: string;
  /** In a tree: its depth from 1, and whether it is open; undefined if it cannot be opened. */
  level?: number;
  isOpen?: boolean | undefined;
}

interface TableProps<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly Row<T>[];
  selected: string;
  /** In a tree: opens or closes a line. */
  onToggle?(row: Row<T>): void;
  /** Called on scrolling: whether the first row is visible. */
  onScroll?(isAtTop: boolean): void;
}

/**
 * The list of every view: a table, or a tree of rows, that contains only the visible rows. Keys move between rows;
 * Enter opens one.
 */
export function Table<T>({ label, columns, rows, selected, onToggle, onScroll }: TableProps<T>) {
  const { scroller, first, last, focused, follow, onKeyDown } = useRows(rows, selected, onToggle);
  const isTree = onToggle !== undefined;
  const shown = rows.slice(first, last);
  const reachable = (shown.find(({ id }) => id === focused) ?? shown.find(({ id }) => id === selected) ?? shown[0])?.id;
  return (
    <div
      class="table"
      ref={scroller}
      onScroll={({ currentTarget }) => {
        follow();
        onScroll?.(currentTarget.scrollTop < rowHeight);
      }}
    >
      <table aria-label={label} role={isTree ? 'treegrid' : undefined} aria-rowcount={rows.length + 1}>
        <Head columns={columns} />
        <tbody onKeyDown={onKeyDown}>
          <Gap rows={first} />
          {shown.map((row, index) => (
            <Line
              key={row.id}
              {...{ row, columns, onToggle, rowIndex: first + index + 2 }}
              {...{ isSelected: row.id === selected, isReachable: row.id === reachable }}
            />
          ))}
          <Gap rows={rows.length - last} />
        </tbody>
      </table>
    </div>
  );
}

/** Which rows are visible, and which one has the focus. */
function useRows<T>(rows: readonly Row<T>[], selected: string, onToggle: TableProps<T>['onToggle']) {
  const scroller = useRef<HTMLDivElement>(null);
  const scrollTop = useSignal(0);
  const height = useSignal(600);
  const focused = useSignal('');
  const follow = () => {
    scrollTop.value = scroller.current?.scrollTop ?? 0;
  };
  const indexOf = (id: string) => rows.findIndex((row) => row.id === id);
  const moveTo = (index: number) => {
    const at = Math.max(0, Math.min(index, rows.length - 1));
    showRow(scroller.current, at);
    follow();
    focused.value = rows[at]?.id ?? '';
  };
  const now = () => Math.max(indexOf(focused.value), focused.value === '' ? indexOf(selected) : -1);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      height.value = element.clientHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const index = indexOf(selected);
    if (index >= 0) showRow(scroller.current, index);
    follow();
  }, [selected, indexOf(selected) >= 0]);
  // Before the next key is pressed.
  useLayoutEffect(() => {
    if (focused.value === '') return;
    const links = [...(scroller.current?.querySelectorAll<HTMLElement>('[data-id]') ?? [])];
    links.find(({ dataset }) => dataset.id === focused.value)?.focus({ preventScroll: true });
  }, [focused.value]);
  useShortcuts(
    [
      { keys: 'j', does: 'Next row', run: () => moveTo(now() + 1) },
      { keys: 'k', does: 'Previous row', run: () => moveTo(now() - 1) },
    ],
    [rows, selected],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const id = event.target instanceof HTMLElement ? (event.target.closest('tr')?.dataset.row ?? '') : '';
    const run = keyActions(rows, indexOf(id), moveTo, onToggle)[event.key];
    if (run === undefined) return;
    event.preventDefault();
    run();
  };
  const drawn = createWindow(rows.length, scrollTop.value, height.value);
  return { scroller, focused: focused.value, follow, onKeyDown, ...drawn };
}

function keyActions<T>(
  rows: readonly Row<T>[],
  at: number,
  moveTo: (index: number) => void,
  onToggle: TableProps<T>['onToggle'],
): Readonly<Record<string, () => void>> {
  const row = rows[at];
  const moves = {
    ...{ ArrowDown: () => moveTo(at + 1), ArrowUp: () => moveTo(at - 1) },
    ...{ Home: () => moveTo(0), End: () => moveTo(rows.length - 1) },
  };
  if (row === undefined || onToggle === undefined) return moves;
  const parent = rows.slice(0, at).findLastIndex(({ level = 1 }) => level < (row.level ?? 1));
  return {
    ...moves,
    ArrowRight: () => {
      if (row.isOpen === false) onToggle(row);
      else if (row.isOpen) moveTo(at + 1);
    },
    ArrowLeft: () => {
      if (row.isOpen) onToggle(row);
      else if (parent >= 0) moveTo(parent);
    },
  };
}

// The table head covers the first visible row.
function showRow(scroller: HTMLElement | null, index: number): void {
  if (scroller === null) return;
  const top = index * rowHeight;
  const lowest = top + 2 * rowHeight - scroller.clientHeight;
  if (scroller.scrollTop > top) scroller.scrollTop = top;
  else if (scroller.scrollTop < lowest) scroller.scrollTop = lowest;
}

function classOf<T>({ isNumber, isKept }: Column<T>, index: number): string {
  return `${isNumber ? 'number' : ''} ${index === 0 || isKept ? '' : 'less'}`.trim();
}

/** The heads of the columns. Pressing one sorts by it, or turns the order. */
function Head<T>({ columns }: { columns: readonly Column<T>[] }) {
  const { sort = '' } = place.value.query;
  const by = sort.replace(/^-/, '');
  const next = (name: string) => (sort === name ? `-${name}` : name);
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((column, index) => (
          <th
            key={column.name}
            class={classOf(column, index)}
            style={{ width: column.width }}
            aria-sort={column.name !== by ? undefined : sort === by ? 'ascending' : 'descending'}
          >
            {column.sort === undefined ? (
              column.name
            ) : (
              <button type="button" onClick={() => replaceQuery({ sort: next(column.name) })}>
                {column.name} {column.name !== by ? '' : sort === by ? '↑' : '↓'}
              </button>
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The order that the address names; undefined to leave the items as they are. */
export function orderOf<T>(columns: readonly Column<T>[]): ((one: T, other: T) => number) | undefined {
  const { sort = '' } = place.value.query;
  const key = columns.find(({ name }) => name === sort.replace(/^-/, ''))?.sort;
  if (key === undefined) return undefined;
  const sign = sort.startsWith('-') ? -1 : 1;
  return (one, other) => (key(one) < key(other) ? -sign : key(one) > key(other) ? sign : 0);
}

function Gap({ rows }: { rows: number }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without cells and links takes no focus
  return rows <= 0 ? null : <tr aria-hidden="true" class="gap" style={{ height: `${rows * rowHeight}px` }} />;
}

interface LineProps<T> {
  row: Row<T>;
  columns: readonly Column<T>[];
  rowIndex: number;
  isSelected: boolean;
  isReachable: boolean;
  onToggle: TableProps<T>['onToggle'];
}

const indentPx = 18;
// Deeper lines would have no room for their names.
const mostIndents = 8;

function Line<T>({ row, columns, rowIndex, isSelected, isReachable, onToggle }: LineProps<T>) {
  const { id, item, level, isOpen } = row;
  const indent = Math.min((level ?? 1) - 1, mostIndents);
  const cellRole = level === undefined ? undefined : 'gridcell';
  return (
    <tr
      data-row={id}
      aria-rowindex={rowIndex}
      aria-level={level}
      aria-expanded={isOpen}
      aria-selected={level === undefined ? undefined : isSelected}
      class={isSelected ? 'selected' : undefined}
    >
      {columns.map((column, index) => (
        <td key={column.name} role={cellRole} class={classOf(column, index)}>
          {index > 0 ? (
            <bdi>{column.cell(item)}</bdi>
          ) : (
            <div class="first" style={{ paddingInlineStart: `${indent * indentPx}px` }}>
              {level !== undefined && <Twist row={row} onToggle={onToggle} />}
              <RowLink {...{ row, isSelected, isReachable, onToggle }} content={column.cell(item)} />
            </div>
          )}
        </td>
      ))}
    </tr>
  );
}

/** Keys open and close lines without it. */
function Twist<T>({ row, onToggle }: Pick<LineProps<T>, 'row' | 'onToggle'>) {
  return (
    <span class="twist" aria-hidden="true" onClick={() => row.isOpen !== undefined && onToggle?.(row)}>
      {row.isOpen === undefined ? '' : row.isOpen ? '▾' : '▸'}
    </span>
  );
}

type LinkProps<T> = Omit<LineProps<T>, 'columns' | 'rowIndex'> & { content: ComponentChildren };

function RowLink<T>({ row, isSelected, isReachable, onToggle, content }: LinkProps<T>) {
  // In full, if it is a name that may be cut.
  const title = typeof content === 'string' ? content : undefined;
  const common = { class: 'row-link', 'data-id': row.id, tabIndex: isReachable ? 0 : -1, title };
  const cell = <bdi>{content}</bdi>;
  if (row.href === undefined) return <Button label={cell} {...common} onClick={() => onToggle?.(row)} />;
  return (
    <a
      {...common}
      href={row.href}
      aria-current={isSelected ? 'true' : undefined}
      onClick={() => row.isOpen !== undefined && (isSelected || !row.isOpen) && onToggle?.(row)}
    >
      {cell}
    </a>
  );
}
