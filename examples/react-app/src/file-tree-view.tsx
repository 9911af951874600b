import { useState } from 'react';
import type { DriveFile } from './api.ts';
import { type Folder, labelOf, pathProblem } from './file-tree.ts';
import { Time } from './text.tsx';

interface Actions {
  isBusy: boolean;
  onMove: (fileId: string, path: string) => void;
  onDelete: (path: string) => void;
}

export function FileTree({ tree, ...actions }: Actions & { tree: Folder }) {
  return (
    <ul>
      {tree.folders.map((folder) => (
        <li key={folder.path}>
          <details open>
            <summary>{folder.name}</summary>
            <Deletion path={folder.path} {...actions} />
            <FileTree tree={folder} {...actions} />
          </details>
        </li>
      ))}
      {tree.files.map((file) => (
        <li key={file.id}>
          <File file={file} {...actions} />
        </li>
      ))}
    </ul>
  );
}

/** Asks first: the folder may hold files that this page does not know. */
function Deletion({ path, isBusy, onDelete }: Actions & { path: string }) {
  const [isAsked, setIsAsked] = useState(false);
  if (!isAsked) {
    return (
      <button type="button" disabled={isBusy} onClick={() => setIsAsked(true)} aria-label={`Delete ${path}`}>
        Delete…
      </button>
    );
  }
  const remove = () => {
    setIsAsked(false);
    onDelete(path);
  };
  return (
    <fieldset>
      <legend>Delete {path} with everything in it, also files that are not shown here?</legend>
      <button type="button" onClick={remove}>
        Delete everything in it
      </button>{' '}
      <button type="button" onClick={() => setIsAsked(false)}>
        Keep it
      </button>
    </fieldset>
  );
}

function File({ file, ...actions }: Actions & { file: DriveFile }) {
  const { id, name, path, status, size, contentType, description, summary, metadata, modifiedAt } = file;
  // Any of them may be missing. The unit of the size is open, and so is what the metadata contain.
  const values = {
    ...{ Id: id, Name: name, Path: path, 'Content type': contentType, Size: size?.toLocaleString() },
    ...{ Description: description, Summary: summary, Metadata: metadata && JSON.stringify(metadata) },
  };
  return (
    <details>
      <summary>
        {labelOf(file)} <span className={`flag ${status}`}>{status ?? 'status unknown'}</span>
      </summary>
      <dl>
        {Object.entries(values).map(([title, value]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{value ?? 'unknown'}</dd>
          </div>
        ))}
        <div>
          <dt>Modified</dt>
          <dd>
            <Time of={modifiedAt} />
          </dd>
        </div>
      </dl>
      {id !== undefined && <Move id={id} path={path ?? '/'} {...actions} />}
    </details>
  );
}

function Move({ id, path, isBusy, onMove }: Actions & { id: string; path: string }) {
  const [target, setTarget] = useState(path);
  const problem = pathProblem(target);
  const move = (event: React.SubmitEvent) => {
    event.preventDefault();
    if (problem === undefined) onMove(id, target);
  };
  return (
    <form onSubmit={move}>
      <label>
        New path <input value={target} onChange={(event) => setTarget(event.target.value)} aria-invalid={!!problem} />
      </label>
      <button type="submit" disabled={isBusy || problem !== undefined}>
        Move
      </button>
      {problem !== undefined && <p role="alert">{problem}</p>}
    </form>
  );
}
