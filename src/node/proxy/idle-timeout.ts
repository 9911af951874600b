export type IdleTimeout = ReturnType<typeof createIdleTimeout>;

/** Calls `onOver` when `timeoutMs` pass without a sign of life, unless `isExcused` says that somebody else is slow. */
export function createIdleTimeout(timeoutMs: number, isExcused: () => boolean, onOver: () => void) {
  let isOver = false;
  let isRenewed = false;
  // Data that came while this process was busy is read first.
  const timer = setTimeout(() => {
    isRenewed = false;
    setImmediate(() => {
      if (isOver) return;
      if (isRenewed || isExcused()) timer.refresh();
      else onOver();
    });
  }, timeoutMs);
  return {
    // Something came, or went. A timer that is refreshed runs again, also after it was cleared.
    renew: () => {
      isRenewed = true;
      if (!isOver) timer.refresh();
    },
    end: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
