import * as z from "zod";

/** Text that a model may write into a file: at most `max` characters, without NUL and unpaired surrogates. */
export function plainText(max: number): z.ZodString {
  return z
    .string()
    .max(max)
    .refine((text) => text.isWellFormed() && !text.includes("\0"), {
      message: "text must not contain NUL or unpaired surrogates",
    });
}
