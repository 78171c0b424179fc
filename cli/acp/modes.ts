import type { NewApprovalRule } from "../../shared/contract/approval.ts";
import { ApprovalsRemove } from "../../shared/contract/requests.ts";
import type { Thread } from "../run/thread.ts";

/** How a session asks about tool calls. The user's own rules count in each. */
export const MODES = [
  { id: "ask", name: "Ask", description: "Ask before files are edited and commands run" },
  { id: "acceptEdits", name: "Accept edits", description: "Edit files of the folder without asking; commands ask" },
  { id: "readOnly", name: "Read only", description: "No edits and no commands" },
] as const;

export type ModeId = (typeof MODES)[number]["id"];

export const isMode = (id: string): id is ModeId => MODES.some((mode) => mode.id === id);

/** The tools that edit files or run commands: the host's, and what agent programs do themselves. */
const CHANGING = [
  "editFile",
  "writeFile",
  "applyPatch",
  "rename",
  "runCommand",
  ...["edit", "delete", "move", "execute"].map((kind) => `agent:${kind}`),
];

const RULES = {
  ask: [],
  acceptEdits: ["editFile", "writeFile", "applyPatch"].map((tool) => ({ tool, decision: "allow" as const })),
  readOnly: CHANGING.map((tool) => ({ tool, decision: "deny" as const })),
} as const satisfies Readonly<Record<ModeId, readonly Pick<NewApprovalRule, "tool" | "decision">[]>>;

/** The rules of a session's mode, which hold for one run of the team and are added before each. */
export class ModeRules {
  #ids: readonly string[] = [];
  #applied: Promise<void> = Promise.resolve();

  /** Replaces the rules by those of the mode, once earlier ones are in place. */
  apply(thread: Thread, mode: ModeId): Promise<void> {
    const applied = this.#applied.then(() => this.#replace(thread, mode));
    this.#applied = applied.catch(() => undefined);
    return applied;
  }

  async #replace(thread: Thread, mode: ModeId): Promise<void> {
    const old = this.#ids;
    this.#ids = [];
    for (const id of old) await thread.host.request(ApprovalsRemove, { id });
    for (const rule of RULES[mode]) {
      const { id } = await thread.addRule({ ...rule, scope: "run", team: thread.teamId });
      this.#ids = [...this.#ids, id];
    }
  }
}
