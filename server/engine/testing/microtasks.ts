/** Resolves after that many turns of the microtask queue, without any time passing. */
export async function microtasks(count: number): Promise<void> {
  for (let done = 0; done < count; done++) await undefined;
}
