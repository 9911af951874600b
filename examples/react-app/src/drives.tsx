import { useState } from 'react';
import type { Drive } from './api.ts';
import { toDrive } from './route.ts';
import { Outcome, Shown } from './states.tsx';
import { byName, Time } from './text.tsx';
import { useApi, useRead, useWrite } from './use-api.ts';

const limit = 10;

export function Drives() {
  return (
    <>
      <h1>Drives</h1>
      <NewDrive />
      <Pages />
    </>
  );
}

/**
 * The drives, page by page. What `total` counts is open, and it may be missing; a page may also be shorter than asked
 * for. So the next page is read ahead: there is one if it has a drive.
 */
function Pages() {
  const [offsets, setOffsets] = useState([0]);
  const offset = offsets.at(-1) ?? 0;
  const page = useDrives(offset, true);
  const nextOffset = offset + (page.data?.length ?? 0);
  const next = useDrives(nextOffset, nextOffset > offset);
  const isLast = nextOffset === offset || next.data?.length === 0;
  return (
    <>
      <Shown read={page} what="the drives">
        {(drives) =>
          drives.length === 0 ? (
            <p>{offset === 0 ? 'There are no drives yet.' : 'There are no more drives.'}</p>
          ) : (
            <DriveTable drives={drives} caption={`Drives ${offset + 1} to ${nextOffset}`} />
          )
        }
      </Shown>
      <p className="row">
        <button type="button" disabled={offsets.length === 1} onClick={() => setOffsets(offsets.slice(0, -1))}>
          Previous page
        </button>
        <button type="button" disabled={isLast} onClick={() => setOffsets([...offsets, nextOffset])}>
          Next page
        </button>
      </p>
    </>
  );
}

function useDrives(offset: number, enabled: boolean) {
  const { listDrives } = useApi();
  return useRead(['drives', offset], (signal) => listDrives({ limit, offset }, signal), { enabled });
}

function DriveTable({ drives, caption }: { drives: readonly Drive[]; caption: string }) {
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Created</th>
          <th scope="col">Updated</th>
        </tr>
      </thead>
      <tbody>
        {drives.map((drive, index) => (
          <tr key={drive.id ?? index}>
            <td>
              <DriveName drive={drive} />
            </td>
            <td>
              <Time of={drive.createdAt} />
            </td>
            <td>
              <Time of={drive.updatedAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DriveName({ drive: { id, name = 'Drive without a name' } }: { drive: Drive }) {
  return id === undefined ? name : <a href={toDrive(id)}>{name}</a>;
}

function NewDrive() {
  const { createDrive } = useApi();
  const [name, setName] = useState('');
  const write = useWrite(createDrive, ['drives']);
  const send = (event: React.SubmitEvent) => {
    event.preventDefault();
    write.mutate(name.trim(), { onSuccess: () => setName('') });
  };
  return (
    <form onSubmit={send}>
      <label>
        Name <input value={name} onChange={(event) => setName(event.target.value)} required pattern=".*\S.*" />
      </label>
      <button type="submit" disabled={write.isPending}>
        Create drive
      </button>
      <Outcome
        write={write}
        what={(typed) => `Creation of “${typed}”`}
        done={(drive) => (
          <>
            Created <DriveName drive={drive} />. It may be on any page.
          </>
        )}
        unsure={(typed) => <SameName name={typed} />}
      />
    </form>
  );
}

/** After a lost response: whether there is a drive with that name. A second creation could make a second one. */
function SameName({ name }: { name: string }) {
  const { findDrives } = useApi();
  const found = useRead(['drives', 'named', name], (signal) => findDrives(name, signal));
  return (
    <Shown read={found} what={`the drives named “${name}”`}>
      {(drives) => (
        <>
          <p>{drives.length === 0 ? 'There is none of this name so far.' : 'There is one of this name:'}</p>
          <ul>
            {byName(drives).map((drive, index) => (
              <li key={drive.id ?? index}>
                <DriveName drive={drive} />, created <Time of={drive.createdAt} />
              </li>
            ))}
          </ul>
          <button type="button" onClick={() => found.refetch()}>
            Look again
          </button>
        </>
      )}
    </Shown>
  );
}
