/** All rows have this height, in pixels, as set in `page.css`, so that positions are known without measuring. */
export const rowHeight = 32;

const more = 8;

/** Which rows are drawn: the visible ones and some around them. */
export function createWindow(count: number, scrollTop: number, height: number): { first: number; last: number } {
  const first = Math.max(0, Math.min(Math.floor(scrollTop / rowHeight) - more, count - 1));
  return { first, last: Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + more) };
}
