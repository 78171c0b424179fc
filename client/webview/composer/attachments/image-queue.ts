import { type ImageProblem, type PreparedImage, preparedImage } from "./prepare-image.ts";

/** For which team each image is prepared that is not ready yet. */
const waiting = new Set<{ readonly teamId: string | null }>();
let last: Promise<unknown> = Promise.resolve();

/** Prepares an image for a team's draft. One at a time, as a large one takes hundreds of megabytes. Never rejects. */
export function prepareFor(
  teamId: string | null,
  file: () => Blob,
  name: string,
): Promise<PreparedImage | ImageProblem> {
  const job = { teamId };
  waiting.add(job);
  const prepared = last.then(() => preparedImage(file(), name)).finally(() => waiting.delete(job));
  last = prepared;
  return prepared;
}

/** Whether an image of the team's draft is not ready yet. */
export const isPreparing = (teamId: string | null): boolean => [...waiting].some((job) => job.teamId === teamId);
