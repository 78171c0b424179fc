/** What `promise` gives, or nothing at once when `signal` is aborted; the promise is then left behind. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
  const give = (): void => resolve(undefined);
  signal.addEventListener("abort", give, { once: true });
  if (signal.aborted) give();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", give);
  }
}
