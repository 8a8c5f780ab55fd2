/** The list of runs as it changes. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { EventStream, type Connection } from './eventStream.ts';
import { changed, readRunChange, type Runs } from './runChange.ts';

const PAGE = 200;

export interface RunList {
  /** `undefined` until the list was read once. */
  runs: Runs | undefined;
  connection: Connection;
  /** Connects now. */
  retry: () => void;
  showMore: () => void;
}

export function useRuns(): RunList {
  const [runs, setRuns] = useState<Runs>();
  const [connection, setConnection] = useState<Connection>({ kind: 'loading' });
  const [limit, setLimit] = useState(PAGE);
  const stream = useRef<EventStream | undefined>(undefined);
  useEffect(() => {
    const current = new EventStream(`/events?limit=${limit}`, {
      frame: ({ data }) => {
        const change = readRunChange(data);
        if (change) setRuns((before) => changed(before, change));
      },
      connection: setConnection,
      end: () => Promise.resolve(true),
    });
    stream.current = current;
    return () => current.stop();
  }, [limit]);
  return { runs, connection, retry: () => stream.current?.retry(), showMore: () => setLimit(limit + PAGE) };
}
