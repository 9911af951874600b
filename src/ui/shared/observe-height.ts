/** Reports the height of an element whenever it changes, until the returned function is called. */
export function observeHeight(element: Element | null, onHeight: (pixels: number) => void): (() => void) | undefined {
  if (element === null) return undefined;
  const observer = new ResizeObserver(() => onHeight(element.clientHeight));
  observer.observe(element);
  return () => observer.disconnect();
}
