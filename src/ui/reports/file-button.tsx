import { useRef } from 'preact/hooks';
import { open } from './opened.ts';

interface ButtonProps {
  label: string;
  isMain?: boolean;
  /** Whether the chosen files replace the open ones. */
  replaces?: boolean;
}

/** A button that asks for files. */
export function FileButton({ label, isMain = false, replaces = false }: ButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class={isMain ? 'primary' : ''} onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept=".json,application/json"
        onChange={({ currentTarget }) => {
          void open([...(currentTarget.files ?? [])], { replaces });
          // So that the same file can be chosen again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
