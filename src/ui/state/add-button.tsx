import { useSignal } from '@preact/signals';
import { Dialog } from '../shared/dialog.tsx';
import { RecordEditor } from './record-editor.tsx';

interface AddProps {
  label: string;
  /** The initial content of the form. */
  template: unknown;
  onAdd(record: unknown): Promise<unknown>;
}

/** A button that opens a dialog with a new record as JSON. */
export function AddButton({ label, template, onAdd }: AddProps) {
  const isOpen = useSignal(false);
  const close = () => {
    isOpen.value = false;
  };
  return (
    <>
      <button
        type="button"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        {label}
      </button>
      <Dialog title={label} isOpen={isOpen.value} onClose={close}>
        <RecordEditor
          label="New record as JSON"
          value={template}
          action="Add"
          isNew
          onSave={async (record) => {
            await onAdd(record);
            close();
          }}
        />
      </Dialog>
    </>
  );
}
