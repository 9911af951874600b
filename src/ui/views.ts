/*
 * How to add a view:
 * 1. Write its component in a separate folder, `src/ui/<hash>/<hash>-view.tsx`.
 * 2. Add a line to the table below; with `needsControl` if it cannot work without the admin API, and with `isInProxy` if
 *    the proxy's page (`/__admin/`) has it too. Navigation, address (`#/<hash>`), title and the shortcut `g <letter>` follow from it.
 * 3. Selection and filters of the view live in the address: `place`, `linkTo`, `goTo` and `replaceQuery` of
 *    `shared/url-state.ts`. The sandbox that all views share is `chosenSandbox` of `shared/sandboxes.ts`.
 * 4. Call the admin API by `readControl` or `callControl` of `shared/control.ts`; they send the token and throw a
 *    `ControlError` with a sentence to show, as `createAction` (`shared/action.tsx`) does.
 * 5. Data that change come from a store: `createStore` (`shared/store.ts`), with `<LiveMark>` in the toolbar.
 * 6. Its layout: `<div class="view">` with a `toolbar`, and `panes` with a `list` and a `<Detail>` (`shared/detail.tsx`). Lists are
 *    a `<Table>` (`shared/table.tsx`), also trees. Fields: `shared/form.tsx`, with `bound` for a signal; buttons:
 *    `shared/button.tsx`; dialogs and menus: `shared/dialog.tsx`; the rest: `shared/parts.tsx`. A request or a response is a
 *    `<MessageView>` (`shared/message.tsx`).
 * 7. What a view changes can be undone there: `changeState` (`shared/undo-state.ts`) for the state, `offerUndo` and `<Undo>`
 *    (`shared/undo.tsx`) for everything else. `announce` tells screen readers; `warn` is for what cannot be seen elsewhere.
 * 8. Test it in `test/pages/<hash>.test.ts` with `test/support/developer-page.ts`, and run `npm run generate`.
 *
 * Text from the mock only ever becomes a text node; Trusted Types refuse markup. Styles are in `page.css`, with
 * `light-dark()` colours from its first lines. The page may import `openapi/` (pure modules) and types of `src/app/`.
 */
import type { FunctionComponent } from 'preact';
import { FaultsView } from './faults/faults-view.tsx';
import { PointsView } from './points/points-view.tsx';
import { ReportsView } from './reports/reports-view.tsx';
import { server } from './shared/control.ts';
import { StateView } from './state/state-view.tsx';
import { TrafficView } from './traffic/traffic-view.tsx';
import { TryView } from './try/try-view.tsx';

/** One view of the page. */
export interface View {
  name: string;
  /** Its name in the address. */
  hash: string;
  /** `g` and this letter open it. */
  letter: string;
  component: FunctionComponent;
  /** Whether it is nothing without the admin API. */
  needsControl?: boolean;
  /** Whether a proxy has it too. A mock has all views. */
  isInProxy?: boolean;
}

/** All views of a mock, in the order of the navigation. */
const all: readonly [View, ...View[]] = [
  { name: 'Try', hash: 'try', letter: 't', component: TryView },
  { name: 'State', hash: 'state', letter: 's', component: StateView, needsControl: true },
  { name: 'Traffic', hash: 'traffic', letter: 'r', component: TrafficView, needsControl: true, isInProxy: true },
  { name: 'Faults', hash: 'faults', letter: 'f', component: FaultsView, needsControl: true },
  { name: 'Open points', hash: 'points', letter: 'o', component: PointsView, needsControl: true },
  { name: 'Reports', hash: 'reports', letter: 'p', component: ReportsView, isInProxy: true },
];

/** The views of this server. The first one is shown initially. */
export const views: readonly View[] = all.filter(({ isInProxy }) => server === 'mock' || isInProxy === true);
