import { messageOf } from "../../shared/contract/errors.ts";
import { listText } from "../../shared/text/list-text.ts";

/** Why files cannot be attached. */
export type Refusal = "folder" | "missing" | "binary" | "tooLarge" | "imageTooLarge";

/** A file that cannot be attached. Its message is a sentence about this file alone. */
export class NotAttachedError extends Error {
  readonly refusal: Refusal;
  /** The file, as it is named in a sentence. */
  readonly file: string;

  constructor(refusal: Refusal, file: string, message: string) {
    super(message);
    this.refusal = refusal;
    this.file = file;
  }
}

/** A sentence about several files. */
const sentences: Readonly<Record<Refusal, (files: string) => string>> = {
  folder: (files) => `${files} are folders. Attach files, or name them in the message: participants can list them.`,
  missing: (files) => `${files} do not exist or cannot be read.`,
  binary: (files) => `${files} are neither text files nor images.`,
  tooLarge: (files) =>
    `${files} are larger than 256 KB. Attach selections of them, or name them in the message: participants can read them in parts.`,
  imageTooLarge: (files) => `${files} are images of more than 20 MB. Attach smaller ones.`,
};

/** So many files are named in a sentence. */
const NAMED = 3;

/** What was not attached and why: a sentence for each reason, with all files that it is the reason for. */
export function refusalTexts(errors: readonly unknown[]): readonly string[] {
  const refused = errors.filter((error) => error instanceof NotAttachedError);
  const groups = Map.groupBy(refused, ({ refusal }) => refusal);
  const grouped = [...groups].map(([refusal, files]) =>
    files.length === 1 && files[0] !== undefined ? files[0].message : sentences[refusal](filesText(files)),
  );
  const others = errors.filter((error) => !(error instanceof NotAttachedError)).map(messageOf);
  return [...grouped, ...new Set(others)];
}

function filesText(files: readonly NotAttachedError[]): string {
  const named = files.slice(0, NAMED).map(({ file }) => file);
  const more = files.length - named.length;
  return listText(more === 0 ? named : [...named, `${more} more`]);
}
