/** The texts that are not empty, separated by commas. */
export const joinTexts = (texts: readonly string[]): string => texts.filter((text) => text !== "").join(", ");

/** `ann or bob`; `anyone` without names. */
export const eitherOf = (names: readonly string[] | undefined): string => names?.join(" or ") ?? "anyone";
