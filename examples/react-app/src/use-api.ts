/** How a screen reads and writes: TanStack Query, with what a client needs to know of lost and slow responses. */
import {
  QueryClient,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { createContext, useContext, useEffect, useRef, useState } from 'react';
import type { Api } from './api.ts';
import type { Failure } from './failure.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Failure;
  }
}

export interface Settings {
  api: Api;
  /** After this time without a response, the page says so and offers to stop waiting. */
  slowAfterMs: number;
}

export const SettingsContext = createContext<Settings | undefined>(undefined);

function useSettings(): Settings {
  const settings = useContext(SettingsContext);
  if (settings === undefined) throw new Error('There is no SettingsContext.');
  return settings;
}

export const useApi = () => useSettings().api;

/** Repeats a read when its response is lost, which does no harm, but not after an error response. Writes are never repeated. */
export function createQueryClient(retryDelayMs = 1000): QueryClient {
  const retry = (count: number, { kind }: Failure) => kind === 'lost' && count < 2;
  const queries = { retry, retryDelay: (count: number) => retryDelayMs * 2 ** count, networkMode: 'always' } as const;
  return new QueryClient({ defaultOptions: { queries, mutations: { networkMode: 'always' } } });
}

/** A read, with a way to stop waiting for it. */
export function useRead<Data>(
  queryKey: QueryKey,
  read: (signal: AbortSignal) => Promise<Data>,
  options: { enabled?: boolean } = {},
) {
  const queryClient = useQueryClient();
  const query = useQuery<Data>({ queryKey, queryFn: ({ signal }) => read(signal), ...options });
  return { ...query, stop: () => void queryClient.cancelQueries({ queryKey }) };
}

export type Read<Data> = Pick<UseQueryResult<Data>, 'data' | 'error' | 'isFetching' | 'isPending' | 'refetch'> &
  Stoppable;

/** A list may show a write a little later. */
const lagMs = 1000;

/**
 * A write. Afterwards everything below `changes` is read again: what the server holds is asked, not assumed, also when
 * the response was lost. `stop` ends the waiting, and perhaps not the write.
 */
export function useWrite<Input, Output>(
  write: (input: Input, signal: AbortSignal) => Promise<Output>,
  changes: QueryKey,
) {
  const queryClient = useQueryClient();
  const controller = useRef<AbortController>(undefined);
  const readAgain = () => void queryClient.invalidateQueries({ queryKey: changes });
  const mutation = useMutation<Output, Failure, Input>({
    mutationFn: (input) => {
      controller.current = new AbortController();
      return write(input, controller.current.signal);
    },
    onSettled: () => {
      readAgain();
      setTimeout(readAgain, lagMs);
    },
  });
  return { ...mutation, stop: () => controller.current?.abort() };
}

export type Write<Input, Output> = Pick<
  UseMutationResult<Output, Failure, Input>,
  'status' | 'error' | 'data' | 'variables'
> &
  Stoppable;

interface Stoppable {
  stop: () => void;
}

/** Whether somebody has been waiting for long. */
export function useIsSlow(): boolean {
  const { slowAfterMs } = useSettings();
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), slowAfterMs);
    return () => clearTimeout(timer);
  }, [slowAfterMs]);
  return isSlow;
}
