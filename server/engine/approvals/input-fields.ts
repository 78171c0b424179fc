import { isRecord } from "../../../shared/json-record.ts";
import { textsIn } from "../json-texts.ts";

/** Names of input fields that hold paths. */
const PATH_FIELD =
  /^(?:(?:file|old|new|source|target|dest|destination|root|base|output|input)?_?(?:path|file|folder|dir|directory|uri)|file_?name|cwd|root|source|destination|dest|target|from|to)s?$/i;
const CLEAR_PATH_FIELD = /path|file|folder|dir|uri/i;
/** Names of input fields that hold a command. */
const COMMAND_FIELD =
  /^(?:(?:shell|bash|run|exec)_?)?(?:commands?|cmds?|scripts?|exec(?:utables?|ute)?|programs?|argv|shell|bash)(?:_?(?:lines?|text|string))?$/i;
/** Names of input fields that hold addresses. */
const ADDRESS_FIELD = /ur[il]s?$|^(?:href|link|host|host_?name|domain|origin|endpoint|server|site|proxy|webhook)s?$/i;

/** A text in a field that may hold paths. */
export interface PathText {
  readonly text: string;
  /** True when the field is clearly named as one for paths. A field such as `to` may hold something else. */
  readonly isClear: boolean;
}

/** The texts in fields that may hold paths, at any depth. */
export const pathTexts = (input: unknown): readonly PathText[] =>
  textsOf(input, PATH_FIELD).map(({ text, key }) => ({ text, isClear: CLEAR_PATH_FIELD.test(key) }));

/** The texts in fields that hold addresses, at any depth. */
export const addressTexts = (input: unknown): readonly string[] =>
  textsOf(input, ADDRESS_FIELD).map(({ text }) => text);

/** True when an input, at any depth, has a command in any form. */
export function hasCommandField(input: unknown): boolean {
  if (Array.isArray(input)) return input.some(hasCommandField);
  if (!isRecord(input)) return false;
  return Object.entries(input).some(
    ([key, value]) => (COMMAND_FIELD.test(key) && value !== undefined && value !== null) || hasCommandField(value),
  );
}

/** True when a field of an input is clearly named as one for paths. */
export const hasPathField = (input: unknown): boolean =>
  isRecord(input) && Object.keys(input).some((key) => CLEAR_PATH_FIELD.test(key));

function textsOf(value: unknown, field: RegExp): readonly { readonly key: string; readonly text: string }[] {
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item, field));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (!field.test(key)) return textsOf(inner, field);
    const texts = typeof inner === "string" ? [inner] : Array.isArray(inner) ? textsIn(inner) : undefined;
    return texts?.map((text) => ({ key, text })) ?? textsOf(inner, field);
  });
}
