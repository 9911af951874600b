import { useMemo } from 'preact/hooks';
import { CopyButton } from '../shared/copy.tsx';
import { ConfirmButton } from '../shared/parts.tsx';
import { placeOf } from '../shared/state-parts.ts';
import { changeRecord, run } from './actions.ts';
import { AddButton } from './add-button.tsx';
import type { KeyRecord } from './record-types.ts';

/** The API keys of an organization. They can be copied, and are shown by their ids. */
export function KeyList({ keys }: { keys: readonly KeyRecord[] }) {
  const fresh = useMemo(() => ({ key: `key-${Math.random().toString(36).slice(2, 10)}` }), [keys.length]);
  return (
    <div class="keys-list">
      <div class="row">
        <AddButton
          label="Issue a key"
          template={fresh}
          onAdd={(body) =>
            changeRecord({ what: 'Issue a key', method: 'POST', path: placeOf('keys'), body, place: () => '' })
          }
        />
      </div>
      <ul>
        {keys.map((record) => (
          <KeyRow key={record.keyId} record={record} />
        ))}
      </ul>
      {keys.length === 0 && <p class="muted">None: no client can call the API for this sandbox.</p>}
    </div>
  );
}

function KeyRow({ record: { key, keyId } }: { record: KeyRecord }) {
  const path = placeOf('keys', keyId);
  const revoke = () => changeRecord({ what: `Revoke the key ${keyId}`, method: 'DELETE', path, place: () => '' });
  return (
    <li class="row">
      <CopyButton what={`key ${keyId}`} text={() => key} />
      <ConfirmButton
        label={`Revoke ${keyId}`}
        confirm={`Revoke ${keyId}? Requests with it get 401.`}
        onConfirm={() => run(revoke)}
      />
    </li>
  );
}
