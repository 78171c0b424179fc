export const median = (values: readonly number[]): number => percentile(values, 50);

/** The value below which `percent` of all values are; NaN for an empty list. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((percent / 100) * sorted.length))] ?? Number.NaN;
}

export const ms = (value: number): string => `${digits(value)} ms`;
export const times = (value: number): string => `${value.toFixed(2)} times`;
export const kb = (bytes: number): string => `${Math.round(bytes / 1000)} kB`;

/** Figures of one kind side by side, as `1.20 / 2.31 / 14 ms`. */
export const slashed = (values: readonly number[], unit: string): string =>
  `${values.map((value) => (Number.isFinite(value) ? digits(value) : "–")).join(" / ")} ${unit}`;

const digits = (value: number): string => value.toFixed(value < 10 ? 2 : 0);
