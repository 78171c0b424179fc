import { setImmediate } from "node:timers/promises";

/**
 * The items in batches: those that come within one turn of the event loop are one, as each batch costs the team much more
 * than its items do. When the items end with an error, those before it come first.
 *
 * @param stop called when no more is read before the end: items that do not come any more would not end by themselves
 */
export async function* batches<T>(
  items: AsyncIterable<T>,
  stop: () => void,
): AsyncGenerator<readonly T[], void, undefined> {
  const iterator = items[Symbol.asyncIterator]();
  let batch: T[] = [];
  let turn = setImmediate(undefined);
  let next = iterator.next();
  let isOver = false;
  try {
    for (;;) {
      const arrived = batch.length === 0 ? await next : await Promise.race([next, turn]);
      if (arrived === undefined) {
        // Its error, if there is one, is that of the next batch.
        next.catch(() => {});
        yield batch;
        batch = [];
        continue;
      }
      if (arrived.done) {
        isOver = true;
        break;
      }
      if (batch.length === 0) turn = setImmediate(undefined);
      batch.push(arrived.value);
      next = iterator.next();
    }
  } catch (error) {
    isOver = true;
    if (batch.length > 0) yield batch;
    throw error;
  } finally {
    if (!isOver) stop();
  }
  if (batch.length > 0) yield batch;
}
