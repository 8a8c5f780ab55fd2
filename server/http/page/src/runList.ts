/** The list of runs, read again every few seconds while the page is visible. */
import { useEffect, useState } from 'preact/hooks';
import { api, type ListedRun } from './api.ts';

const PAGE = 200;
const EVERY_MS = 2000;

export interface RunList {
  /** `undefined` until the list was read once. */
  runs: readonly ListedRun[] | undefined;
  /** Why it could not be read the last time. */
  error: unknown;
  /** Whether there are older runs. */
  more: boolean;
  showMore: () => void;
}

export function useRuns(): RunList {
  const [runs, setRuns] = useState<readonly ListedRun[]>();
  const [error, setError] = useState<unknown>();
  const [limit, setLimit] = useState(PAGE);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const abort = new AbortController();
    const read = async () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') {
        try {
          setRuns(await api.runs(limit, abort.signal));
          setError(undefined);
        } catch (problem) {
          if (!abort.signal.aborted) setError(problem);
        }
      }
      if (!abort.signal.aborted) timer = setTimeout(() => void read(), EVERY_MS);
    };
    const onVisible = () => void read();
    document.addEventListener('visibilitychange', onVisible);
    void read();
    return () => {
      abort.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [limit]);
  return { runs, error, more: runs !== undefined && runs.length >= limit, showMore: () => setLimit(limit + PAGE) };
}
