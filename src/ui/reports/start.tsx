import { index } from '../shared/control.ts';
import { Empty } from '../shared/parts.tsx';
import { Command } from './facts.tsx';
import { FileButton } from './file-button.tsx';
import { open } from './opened.ts';
import { pasted } from './take-files.ts';

/** Shown while no report is open: how to open one, and the commands that write one. */
export function Start() {
  const { conformance, vary } = index.value?.commands ?? {};
  return (
    <Empty title="Open a report">
      <p>Drop a JSON report of conformance or vary anywhere here, or two to compare.</p>
      <div class="row">
        <FileButton label="Choose files" isMain />
        <PasteField />
      </div>
      <p class="muted">The report stays in this page. Nothing is sent or stored.</p>
      {conformance !== undefined && vary !== undefined && (
        <>
          <h4>Write a report with</h4>
          <Command text={conformance} />
          <Command text={vary} />
        </>
      )}
    </Empty>
  );
}

/** A field that reads what is pasted into it. */
function PasteField() {
  return (
    <input
      class="paste"
      aria-label="Paste the text of a report"
      placeholder="or paste its text here"
      onInput={({ currentTarget }) => {
        void open([pasted(currentTarget.value)]);
        currentTarget.value = '';
      }}
    />
  );
}
