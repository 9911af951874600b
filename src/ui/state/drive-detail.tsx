import { placeOf } from '../shared/state-parts.ts';
import { goTo } from '../shared/url-state.ts';
import { changeRecord } from './actions.ts';
import { AddButton } from './add-button.tsx';
import { DeleteButton, Detail } from './detail.tsx';
import type { DriveRecord } from './record-types.ts';
import { countWords, timeWords } from './tree.ts';

/** One drive. The admin API can add files and remove the drive; everything else goes through the API. */
export function DriveDetail({ drive }: { drive: DriveRecord }) {
  const { id, name, createdAt, holds } = drive;
  const path = placeOf('drives', id);
  return (
    <Detail title={name} kind="Drive" id={id}>
      <p>
        {countWords(holds.files, 'file')}, created {timeWords(createdAt)}
      </p>
      <div class="row">
        <AddButton
          label="Add a file"
          template={{ path: '/new.txt', status: 'ready', contentType: 'text/plain', sizeBytes: 0 }}
          onAdd={async (body) => {
            const made = await changeRecord({
              ...{ what: `Add a file to ${name}`, method: 'POST', path: `${path}/files`, body },
              place: (file) => path + placeOf('files', String(file.id)),
            });
            goTo('state', (path + placeOf('files', String(made.id))).slice(1));
          }}
        />
        <DeleteButton
          what={`the drive ${name}`}
          confirm={`Delete ${name} with ${countWords(holds.files, 'file')}?`}
          path={path}
          next="drives"
        />
      </div>
    </Detail>
  );
}
