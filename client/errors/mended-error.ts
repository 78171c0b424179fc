import type { Mend } from "../common/page-messages.ts";

/** An error of the extension's own, with the button that goes where it is mended. */
export class MendedError extends Error {
  override readonly name = "MendedError";
  readonly mend: Mend;

  constructor(message: string, mend: Mend) {
    super(message);
    this.mend = mend;
  }
}
