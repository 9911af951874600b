import type { ComponentChildren, ComponentProps } from 'preact';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'label'> {
  label: ComponentChildren;
}

/** A button: for what it does, or with `type="submit"` for its form. */
export function Button({ label, ...attributes }: ButtonProps) {
  return (
    <button type="button" {...attributes}>
      {label}
    </button>
  );
}
