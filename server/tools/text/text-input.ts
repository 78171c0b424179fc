import * as z from "zod";

/** Text that a model may put into a file: at most `max` characters, which can all be written in any encoding and are no binary data. */
export function plainText(max: number): z.ZodString {
  return z
    .string()
    .max(max)
    .refine((text) => text.isWellFormed() && !text.includes("\0"), {
      message: "text holds no NUL and no half of a surrogate pair",
    });
}
