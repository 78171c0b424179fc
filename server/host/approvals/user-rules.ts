import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { ApprovalRule } from "../../../shared/contract/approval.ts";
import { invalidParams, messageOf, storageError } from "../../../shared/contract/errors.ts";
import { SessionFolder, temporaryName } from "../../tools/index.ts";
import { makePrivateFolder, restrictFile, restrictFolder } from "../store/private-files.ts";
import type { StoredRules } from "../store/records/approval-records.ts";

const FILE = "approvals.json";
const RulesFile = z.strictObject({ version: z.literal(1), rules: z.array(ApprovalRule) });

/**
 * The user's approval rules for every workspace: `approvals.json` in the client's `globalStoragePath`. Other hosts write the
 * same file, so it is read again when it has changed, and always replaced as a whole.
 */
export class UserRules {
  readonly #folder: string | undefined;
  readonly #session: Pick<SessionFolder, "note">;
  #known: { readonly stamp: string; readonly kept: StoredRules } | undefined;

  /**
   * @param folder absolute; without a folder there are no such rules, and none can be added.
   * @param session has notes of temporary files, for the case that the process is killed.
   */
  constructor(folder: string | undefined, session: Pick<SessionFolder, "note"> = new SessionFolder()) {
    this.#folder = folder;
    this.#session = session;
  }

  /** The rules in the file; none if there is no file. Never throws. */
  all(): StoredRules {
    if (this.#folder === undefined) return { rules: [] };
    const path = join(this.#folder, FILE);
    if (this.#known === undefined) {
      restrictFolder(this.#folder);
      restrictFile(path);
    }
    const stamp = stampOf(path);
    if (this.#known?.stamp !== stamp) this.#known = { stamp, kept: read(path) };
    return this.#known.kept;
  }

  /** @throws GavelError `InvalidParams` without a folder, `StorageError` when the file is damaged or cannot be written. */
  add(rule: ApprovalRule): void {
    if (this.#folder === undefined) {
      const message = `this client does not support the scope "always" because it set no globalStoragePath; use "workspace"`;
      throw invalidParams("approvals/add", [{ path: "rule.scope", message }]);
    }
    this.#write(this.#folder, [...this.#readableRules(), rule]);
  }

  /** False when there is no such rule. @throws GavelError `StorageError` as {@link add}. */
  remove(id: string): boolean {
    if (this.#folder === undefined || !this.all().rules.some((rule) => rule.id === id)) return false;
    const rules = this.#readableRules().filter((rule) => rule.id !== id);
    this.#write(this.#folder, rules);
    return true;
  }

  /** The rules to write back. A damaged file is not replaced, because it may contain rules that deny. */
  #readableRules(): readonly ApprovalRule[] {
    const { rules, damage } = this.all();
    if (damage !== undefined) throw storageError(damage);
    return rules;
  }

  #write(folder: string, rules: readonly ApprovalRule[]): void {
    const path = join(folder, FILE);
    const fresh = join(folder, temporaryName());
    let forget = (): void => {};
    try {
      makePrivateFolder(folder);
      forget = this.#session.note(fresh);
      const file = openSync(fresh, "wx", 0o600);
      try {
        writeFileSync(file, `${JSON.stringify({ version: 1, rules }, null, 2)}\n`);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(fresh, path);
    } catch (error) {
      rmSync(fresh, { force: true });
      throw storageError(`The approval rules could not be written to ${path}: ${messageOf(error)}.`, { cause: error });
    } finally {
      forget();
    }
  }
}

/** A text that changes whenever the file is replaced. */
function stampOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
}

function read(path: string): StoredRules {
  try {
    return { rules: RulesFile.parse(JSON.parse(readFileSync(path, "utf8"))).rules };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { rules: [] };
    const damage = `The approval rules in ${path} cannot be read, so Gavel asks before every tool call; fix the file, or move it away to start without rules.`;
    return { rules: [], damage };
  }
}
