/** The pipelines of the project that the server serves, to start one of them. */
import { useEffect, useState } from 'preact/hooks';
import { api, type ProjectPipeline } from './api.ts';

/** The pipelines; none before they are read, and of a server that does not list them. */
export function useProjectPipelines(): readonly ProjectPipeline[] {
  const [pipelines, setPipelines] = useState<readonly ProjectPipeline[]>([]);
  useEffect(() => {
    let current = true;
    api.projectPipelines().then(
      (found) => current && setPipelines(found),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, []);
  return pipelines;
}

/** What a pipeline is listed as: its graph is named where a file has several. */
export function nameOf(pipeline: ProjectPipeline, all: readonly ProjectPipeline[]): string {
  const isOnly = all.filter(({ path }) => path === pipeline.path).length === 1;
  return isOnly ? pipeline.path : `${pipeline.path}: ${pipeline.graph}`;
}
