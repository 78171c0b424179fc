export const median = (values: readonly number[]): number => percentile(values, 50);

/** The value below which `percent` of all values are; NaN of none. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((percent / 100) * sorted.length))] ?? Number.NaN;
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
export const times = (value: number): string => `${value.toFixed(2)} times`;
export const kb = (bytes: number): string => `${Math.round(bytes / 1000)} kB`;
