import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for one test, removed after it. */
export class Scratch implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "gavel-contract-"));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }
}
