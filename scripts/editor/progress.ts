/** Runs a long step; prints its name before and its duration after. */
export async function withProgress<T>(what: string, step: () => Promise<T>): Promise<T> {
  console.log(`${what} …`);
  const start = performance.now();
  const result = await step();
  console.log(`${what}: done in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return result;
}
