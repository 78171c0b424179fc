import { messageOf } from "../../../../shared/contract/errors.ts";
import { type ImageProblem, type PreparedImage, preparedImage } from "./prepare-image.ts";

let last: Promise<unknown> = Promise.resolve();

/**
 * Prepares an image for a message. One at a time, as a large one takes hundreds of megabytes. Never rejects.
 * @param read its content, which is read when it is its turn.
 * @param isWanted whether it is to be prepared when it is its turn; undefined is returned for one that is not.
 */
export function prepareInTurn(
  read: () => Blob | Promise<Blob>,
  name: string,
  isWanted: () => boolean,
): Promise<PreparedImage | ImageProblem | undefined> {
  const prepared = last.then(() => (isWanted() ? prepare(read, name) : undefined));
  last = prepared;
  return prepared;
}

async function prepare(read: () => Blob | Promise<Blob>, name: string): Promise<PreparedImage | ImageProblem> {
  try {
    return await preparedImage(await read(), name);
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
