import { ApprovalRule } from "../../../shared/contract/approval.ts";
import type { Database } from "./database.ts";
import { insertSummed, isIntact } from "./row-sums.ts";

/** Approval rules as they were read. */
export interface StoredRules {
  readonly rules: readonly ApprovalRule[];
  /** What could not be read and what to do, in one sentence. A rule among it may deny calls. */
  readonly damage?: string;
}

/**
 * The approval rules of a workspace. They are in the store, which is outside the workspace's folders, and which hosts may
 * share.
 */
export class ApprovalRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @throws GavelError `StorageError`. */
  add(rule: ApprovalRule): void {
    this.#database.run(insertSummed("approvals"), rule.id, JSON.stringify(rule));
  }

  /** False when there is no such rule. @throws GavelError `StorageError`. */
  remove(id: string): boolean {
    return this.#database.run("DELETE FROM approvals WHERE id = ?", id) > 0;
  }

  /** All rules, including those of other hosts. @throws GavelError `StorageError`. */
  all(): StoredRules {
    const rows = this.#database.all("SELECT id, json, sum FROM approvals ORDER BY rowid");
    const rules: ApprovalRule[] = [];
    let damaged: string | undefined;
    for (const row of rows) {
      const rule = isIntact("approvals", row) ? parsed(row["json"]) : undefined;
      if (rule === undefined) damaged = String(row["id"]);
      else rules.push(rule);
    }
    if (damaged === undefined) return { rules };
    const damage = `The approval rule ${damaged} in ${this.#database.path} is damaged or was written by a newer version of Gavel, so Gavel asks before every tool call; update Gavel, or move the file away.`;
    return { rules, damage };
  }
}

function parsed(json: unknown): ApprovalRule | undefined {
  try {
    return ApprovalRule.parse(JSON.parse(String(json)));
  } catch {
    return undefined;
  }
}
