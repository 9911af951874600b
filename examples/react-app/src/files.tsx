import { type Query, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { DriveFile } from './api.ts';
import { isBelow, toTree } from './file-tree.ts';
import { FileTree } from './file-tree-view.tsx';
import { useKnownFiles } from './known-files.ts';
import { Outcome, Shown } from './states.tsx';
import { useApi, useRead, useWrite } from './use-api.ts';

/** The files of a drive whose ids are known, as a tree. */
export function Files({ driveId }: { driveId: string }) {
  const known = useKnownFiles(driveId);
  const move = useMove(driveId);
  const deletion = useTreeDeletion(driveId);
  const deletedPath = deletion.isSuccess ? deletion.variables : undefined;
  const files = useFiles(driveId, known.ids, deletedPath);
  const read = files.flatMap(({ isSuccess, data }) => (isSuccess ? data : []));
  const unreadIds = known.ids.filter((_, index) => files[index]?.isSuccess === false);
  return (
    <>
      <p>
        <a href="#/drives">All drives</a>
      </p>
      <h1>Files</h1>
      <p className="small">
        Drive <code>{driveId}</code>
      </p>
      <NewFiles onAdd={known.add} />
      <MoveOutcome move={move} />
      <DeletionOutcome deletion={deletion} />
      <FileTree
        tree={toTree(read)}
        isBusy={move.isPending || deletion.isPending}
        onMove={(fileId, path) => move.mutate({ fileId, path })}
        onDelete={deletion.mutate}
      />
      {unreadIds.map((id) => (
        <UnreadFile key={id} driveId={driveId} fileId={id} onForget={() => known.forget(id)} />
      ))}
    </>
  );
}

const keyOf = (driveId: string, fileId: string) => ['files', driveId, fileId];

const pollMs = 2000;

/** A file is read again while it is processed, or while it may be on its way out: a deletion can take its time. */
function useFiles(driveId: string, ids: readonly string[], deletedPath: string | undefined) {
  const { getFile } = useApi();
  const refetchInterval = ({ state: { data, error } }: Query<DriveFile>) =>
    error === null && (data?.status === 'processing' || isBelow(deletedPath, data?.path)) ? pollMs : false;
  const queries = ids.map((id) => ({
    queryKey: keyOf(driveId, id),
    queryFn: ({ signal }: { signal: AbortSignal }) => getFile(driveId, id, signal),
    refetchInterval,
  }));
  return useQueries({ queries });
}

type MoveInput = { fileId: string; path: string };

function useMove(driveId: string) {
  const { moveFile } = useApi();
  const write = ({ fileId, path }: MoveInput, signal: AbortSignal) => moveFile(driveId, fileId, path, signal);
  return useWrite(write, ['files', driveId]);
}

/** The server tells where the file is now, which may be spelt in another way. */
function MoveOutcome({ move }: { move: ReturnType<typeof useMove> }) {
  return (
    <Outcome
      write={move}
      what={({ path }) => `Move to ${path}`}
      done={(file, { path }) => `Moved to ${file.path ?? path}.`}
      unsure={() => <p>Below is where the server says the file is.</p>}
    />
  );
}

function useTreeDeletion(driveId: string) {
  const { deleteTree } = useApi();
  return useWrite((path: string, signal) => deleteTree(driveId, path, signal), ['files', driveId]);
}

/** The response names a job: the files may go later. What `documentCount` counts is open. */
function DeletionOutcome({ deletion }: { deletion: ReturnType<typeof useTreeDeletion> }) {
  return (
    <Outcome
      write={deletion}
      what={(path) => `Deletion of ${path}`}
      done={({ message, jobId, documentCount }, path) =>
        `Deletion of ${path} accepted: ${message} (job ${jobId}, document count ${documentCount}). It may take a while.`
      }
      unsure={() => <p>Below are the files that the server still has. You can delete the folder again.</p>}
    />
  );
}

/** A file that is not in the tree: not read yet, gone, or never there. */
function UnreadFile({ driveId, fileId, onForget }: { driveId: string; fileId: string; onForget: () => void }) {
  const { getFile } = useApi();
  const read = useRead(keyOf(driveId, fileId), (signal) => getFile(driveId, fileId, signal));
  return (
    <div className="row">
      <Shown read={read} what={`the file ${read.data?.path ?? fileId}`}>
        {() => null}
      </Shown>
      <button type="button" onClick={onForget} aria-label={`Forget ${fileId}`}>
        Forget
      </button>
    </div>
  );
}

/** No operation lists files: whoever knows their ids names them here. */
function NewFiles({ onAdd }: { onAdd: (text: string) => void }) {
  const [text, setText] = useState('');
  const add = (event: React.SubmitEvent) => {
    event.preventDefault();
    onAdd(text);
    setText('');
  };
  return (
    <form onSubmit={add}>
      <label>
        File ids <input value={text} onChange={(event) => setText(event.target.value)} required />
      </label>
      <button type="submit">Show files</button>
      <p className="small">The API does not list files. Name those to show, separated by blanks.</p>
    </form>
  );
}
