import * as z from "zod";

const MESSAGE = 'has an object whose "length" is no number, where a text or a list belongs';

/** The outcome of {@link safeParse}. */
export type Parsed<T> =
  | { readonly success: true; readonly data: T; readonly error?: undefined }
  | { readonly success: false; readonly error: z.ZodError };

/**
 * A schema's own `safeParse`, which never throws. That of zod 4 checks the length of everything that has one, and throws if
 * it is an object that cannot be compared with a number, such as `{ toString: 1 }`.
 */
export function safeParse<S extends z.ZodType>(schema: S, value: unknown): Parsed<z.output<S>> {
  try {
    const { success, data, error } = schema.safeParse(value);
    return success ? { success, data } : { success: false, error: new z.ZodError(error.issues) };
  } catch {
    return { success: false, error: new z.ZodError([{ code: "custom", path: [], message: MESSAGE, input: value }]) };
  }
}
