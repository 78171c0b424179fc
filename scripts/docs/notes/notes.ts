/**
 * Notes on fields: by the name of the shape or the method of the message, then by the keys that lead to the field
 * (`left[].path`) or by a value of an enumeration; `""` is for the whole.
 */
export type Notes = Readonly<Record<string, Readonly<Record<string, string>>>>;
