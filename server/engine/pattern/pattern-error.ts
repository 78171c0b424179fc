/** A regular expression that cannot be used. The message is the rest of a sentence, such as `has no end of a group`. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}
