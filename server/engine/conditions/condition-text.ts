/** `5 messages`, `1 message`. */
export const countOf = (amount: number, unit: string): string => `${amount} ${unit}${amount === 1 ? "" : "s"}`;

/** What says something, one after another. */
export const joinTexts = (texts: readonly string[]): string => texts.filter((text) => text !== "").join(", ");

/** `ann or bob`; anyone, where nobody is named. */
export const eitherOf = (names: readonly string[] | undefined): string => names?.join(" or ") ?? "anyone";
