import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { observeHeight } from '../shared/observe-height.ts';
import { createWindow, rowHeight } from '../traffic/row-window.ts';
import { parentIndex, rowsOf, type TreeNode, type TreeRow } from './tree.ts';

interface TreeProps {
  label: string;
  nodes: readonly TreeNode[];
  isOpen(node: TreeNode): boolean;
  /** The place of the selected record. */
  selected: string;
  onToggle(node: TreeNode): void;
  onSelect(node: TreeNode): void;
}

/** A tree that follows the ARIA practices guide. Only visible lines are in the page, so each states its position. */
export function Tree({ label, nodes, isOpen, selected, onToggle, onSelect }: TreeProps) {
  const rows = rowsOf(nodes, isOpen);
  const { scroller, first, last, active, follow, move, select } = useTreeRows(rows, selected, onSelect);
  const act = ({ node }: TreeRow) => (node.isGroup ? onToggle(node) : select(node));
  return (
    <div class="tree-scroll" ref={scroller} onScroll={follow}>
      {/* The tree keeps the focus and names the active line: scrolling adds and removes lines. A click does not scroll. */}
      <div
        role="tree"
        tabIndex={0}
        aria-label={label}
        aria-activedescendant={active >= first && active < last ? `tree-${active}` : undefined}
        style={{ height: `${rows.length * rowHeight}px` }}
        onKeyDown={(event) => onTreeKey(event, rows, active, { move, onToggle, act })}
        onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && move(active)}
      >
        {rows.slice(first, last).map((row, index) => (
          <Row
            key={row.node.place}
            row={row}
            index={first + index}
            isActive={first + index === active}
            isSelected={row.node.place === selected}
            onToggle={() => onToggle(row.node)}
            onClick={() => {
              move(first + index);
              act(row);
            }}
          />
        ))}
      </div>
    </div>
  );
}

type Actions = { move(index: number): void; onToggle(node: TreeNode): void; act(row: TreeRow): void };

function onTreeKey(event: KeyboardEvent, rows: readonly TreeRow[], active: number, actions: Actions): void {
  if (event.ctrlKey || event.altKey || event.metaKey || rows[active] === undefined) return;
  const run = keyActions(rows, active, actions)[event.key];
  if (run === undefined) return;
  event.preventDefault();
  run();
}

/** What each key does on a line. */
function keyActions(rows: readonly TreeRow[], active: number, { move, onToggle, act }: Actions) {
  const row = rows[active] as TreeRow;
  const actions: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(active + 1),
    ArrowUp: () => move(active - 1),
    Home: () => move(0),
    End: () => move(rows.length - 1),
    ArrowRight: () => {
      if (row.isOpen === false) onToggle(row.node);
      else if (row.isOpen && (rows[active + 1]?.level ?? 0) > row.level) move(active + 1);
    },
    ArrowLeft: () => (row.isOpen ? onToggle(row.node) : move(parentIndex(rows, active))),
    Enter: () => act(row),
    ' ': () => act(row),
  };
  return actions;
}

/** Which lines are visible, and which one is active. */
function useTreeRows(rows: readonly TreeRow[], selected: string, onSelect: TreeProps['onSelect']) {
  const scroller = useRef<HTMLDivElement>(null);
  const scrollTop = useSignal(0);
  const height = useSignal(600);
  const activePlace = useSignal(selected);
  const known = useMemo(() => new Map(rows.map(({ node }, index) => [node.place, index])), [rows]);
  const active = known.get(activePlace.value) ?? known.get(selected) ?? 0;
  const follow = () => {
    scrollTop.value = scroller.current?.scrollTop ?? 0;
  };
  const move = (index: number) => {
    const row = rows[Math.min(index, rows.length - 1)];
    if (index < 0 || row === undefined) return;
    activePlace.value = row.node.place;
    showRow(scroller.current, rows.indexOf(row));
    follow();
  };
  useEffect(() => observeHeight(scroller.current, (pixels) => (height.value = pixels)), []);
  // A node selected here is active already, or keys have moved on before the selection arrived.
  const expected = useRef<string | undefined>(undefined);
  const select = (node: TreeNode) => {
    expected.current = node.place === selected ? undefined : node.place;
    onSelect(node);
  };
  useLayoutEffect(() => {
    const index = known.get(selected);
    if (index !== undefined && selected !== expected.current) move(index);
    expected.current = undefined;
  }, [selected, known.has(selected)]);
  return { scroller, active, follow, move, select, ...createWindow(rows.length, scrollTop.value, height.value) };
}

function showRow(scroller: HTMLElement | null, index: number): void {
  if (scroller === null) return;
  const top = index * rowHeight;
  if (scroller.scrollTop > top) scroller.scrollTop = top;
  else scroller.scrollTop = Math.max(scroller.scrollTop, top + rowHeight - scroller.clientHeight);
}

interface RowProps {
  row: TreeRow;
  index: number;
  isActive: boolean;
  isSelected: boolean;
  onToggle(): void;
  onClick(): void;
}

const indentPx = 18;

function Row({ row, index, isActive, isSelected, onToggle, onClick }: RowProps) {
  const { node, level, positionInSet, setSize, isOpen } = row;
  const toggle = (event: MouseEvent) => {
    event.stopPropagation();
    onToggle();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys for all its lines
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names the active line
    <div
      role="treeitem"
      id={`tree-${index}`}
      class={isActive ? 'active' : undefined}
      aria-level={level}
      aria-posinset={positionInSet}
      aria-setsize={setSize}
      aria-expanded={isOpen}
      aria-selected={isSelected}
      style={{ top: `${index * rowHeight}px`, paddingInlineStart: `${(level - 1) * indentPx}px` }}
      onClick={onClick}
    >
      <span class="twist" aria-hidden="true" onClick={isOpen === undefined ? undefined : toggle}>
        {isOpen === undefined ? '' : isOpen ? '▾' : '▸'}
      </span>
      <span class="name">{node.label}</span>
      {node.marks?.map(({ text, kind }) => (
        <span key={text} class={`tag ${kind}`}>
          {text}
        </span>
      ))}
    </div>
  );
}
