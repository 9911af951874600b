import { index, server } from '../shared/control.ts';
import { Empty } from '../shared/parts.tsx';
import { chooseSandbox, chosenSandbox } from '../shared/sandboxes.ts';
import { linkTo, place, replaceQuery } from '../shared/url-state.ts';
import { exchanges, isLoaded, requestLogError } from './request-log.ts';

/** Shown instead of the list: why it is empty, and what to do. */
export function NoExchanges() {
  if (requestLogError.value !== '') {
    return (
      <Empty title="There is no traffic to show">
        <p>{requestLogError.value}</p>
        <p>Start the {server} without --request-log-limit 0 to see each request here.</p>
      </Empty>
    );
  }
  if (!isLoaded.value) return <p class="loading">Loading…</p>;
  return exchanges.value.length === 0 ? <NothingYet /> : <NothingFound />;
}

function NothingYet() {
  return (
    <Empty title="No requests yet">
      <p>Each request to the {server} appears here immediately.</p>
      <p>
        {server === 'mock' ? (
          <>
            Send one in <a href={linkTo('try')}>Try</a>, or point
          </>
        ) : (
          'Point'
        )}{' '}
        your program at <code>{index.value?.baseUrl}</code>.
      </p>
    </Empty>
  );
}

function NothingFound() {
  const count = exchanges.value.length;
  return (
    <Empty title={`No match among ${count === 1 ? '1 exchange' : `${count} exchanges`}`}>
      <div class="row">
        {place.value.query.filter && (
          <button type="button" onClick={() => replaceQuery({ filter: '' })}>
            Clear the filter
          </button>
        )}
        {chosenSandbox.value && (
          <button type="button" onClick={() => chooseSandbox('')}>
            Show all sandboxes
          </button>
        )}
      </div>
    </Empty>
  );
}
