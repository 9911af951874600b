import { useState } from 'react';

/** The ids of the files that somebody has named in this drive. No operation lists files, so the page remembers them. */
export function useKnownFiles(driveId: string) {
  const key = `files of ${driveId}`;
  const [ids, setIds] = useState(() => idsIn(localStorage.getItem(key) ?? ''));
  const keep = (kept: string[]) => {
    localStorage.setItem(key, kept.join(' '));
    setIds(kept);
  };
  return {
    ids,
    add: (text: string) => keep([...new Set([...ids, ...idsIn(text)])]),
    forget: (gone: string) => keep(ids.filter((id) => id !== gone)),
  };
}

function idsIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((id) => id !== '');
}
