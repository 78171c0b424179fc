/** `5 messages`, `1 message`. */
export const counted = (amount: number, unit: string): string => `${amount} ${unit}${amount === 1 ? "" : "s"}`;

/** What says something, one after another. */
export const listed = (texts: readonly string[]): string => texts.filter((text) => text !== "").join(", ");

/** `ann or bob`; anyone, where nobody is named. */
export const anyOf = (names: readonly string[] | undefined): string => names?.join(" or ") ?? "anyone";
