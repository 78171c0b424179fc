import { ApprovalRule } from "../../../shared/contract/approval.ts";
import type { Database } from "./database.ts";

/** Rules that were read from where they are kept. */
export interface StoredRules {
  readonly rules: readonly ApprovalRule[];
  /** What could not be read, in one sentence with the mend: then nobody knows what it would have denied. */
  readonly damage?: string;
}

/** The rules of a workspace: in the store, which the editor keeps outside the workspace's folders, and which hosts may share. */
export class ApprovalRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @throws GavelError `StorageError`. */
  add(rule: ApprovalRule): void {
    this.#database.run("INSERT INTO approvals (id, json) VALUES (?, ?)", rule.id, JSON.stringify(rule));
  }

  /** False when there is no such rule. @throws GavelError `StorageError`. */
  remove(id: string): boolean {
    return this.#database.run("DELETE FROM approvals WHERE id = ?", id) > 0;
  }

  /** All of them, also those that another host has added since. @throws GavelError `StorageError`. */
  all(): StoredRules {
    const rows = this.#database.all("SELECT id, json FROM approvals ORDER BY rowid");
    const rules: ApprovalRule[] = [];
    let damaged: string | undefined;
    for (const { id, json } of rows) {
      const rule = parsed(json);
      if (rule === undefined) damaged = String(id);
      else rules.push(rule);
    }
    if (damaged === undefined) return { rules };
    const damage = `The approval rule ${damaged} in ${this.#database.path} is damaged or of a newer Gavel, so every tool call is asked; update Gavel, or move that file away.`;
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
