import { ApprovalRule } from "../../../../shared/contract/approval.ts";
import type { Database } from "../database.ts";
import { insertSummed, isIntact } from "../row-sums.ts";
import type { WriteQueue } from "../write-queue.ts";

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
  readonly #queue: WriteQueue;

  constructor(database: Database, queue: WriteQueue) {
    this.#database = database;
    this.#queue = queue;
  }

  /** @throws GavelError `StorageError`. */
  async add(rule: ApprovalRule): Promise<void> {
    const insert = [insertSummed("approvals"), rule.id, JSON.stringify(rule)] as const;
    await this.#queue.write<"run">({ kind: "run", statements: [insert] });
  }

  /** False when there is no such rule. @throws GavelError `StorageError`. */
  async remove(id: string): Promise<boolean> {
    const statements = [["DELETE FROM approvals WHERE id = ?", id]] as const;
    return (await this.#queue.write<"run">({ kind: "run", statements })) > 0;
  }

  /** All rules, including those of other hosts. @throws GavelError `StorageError`. */
  async all(): Promise<StoredRules> {
    const rows = await this.#database.all("SELECT id, json, sum FROM approvals ORDER BY rowid");
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
