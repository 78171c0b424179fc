import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { sep } from "node:path";
import type { ApprovalRule, ApprovalSubject, NewApprovalRule } from "../../../shared/contract/approval.ts";
import { invalidParams, messageOf } from "../../../shared/contract/errors.ts";
import {
  type ApprovalContext,
  type ApprovalOutcome,
  type CallToApprove,
  evaluateCall,
  findPaths,
  newId,
  type PathPlaces,
  plainPathRule,
  restrictedPaths,
  ruleProblem,
  suggestRules,
  type ToolAnswers,
} from "../../engine/index.ts";
import { rootLabels, type Workspace } from "../../tools/index.ts";
import type { HostLog } from "../log/host-log.ts";
import type { ApprovalRecords } from "../store/records/approval-records.ts";
import { type DeniedPaths, deniedPaths } from "./denied-paths.ts";
import { expandWildcards } from "./expand-wildcards.ts";
import { DiskFileNames, RestrictedFiles } from "./file-names.ts";
import { resolveRealPath } from "./real-path.ts";
import type { UserRules } from "./user-rules.ts";

const SHELL = process.platform === "win32" ? "cmd" : "posix";

/** A pending call whose change the user was shown, with the digest of the preview. */
interface ShownChange {
  readonly teamId: string;
  readonly ref: string;
  readonly preview: string;
}

/** A call that waits for the user. */
export interface PendingCall {
  readonly ref: string;
  readonly call: CallToApprove;
}

export interface ApprovalsOptions {
  readonly records: ApprovalRecords;
  readonly userRules: UserRules;
  /** The open folders; commands run in the first. */
  readonly workspace: Workspace;
  /** The scratch folder in which a team works, if it works in one. */
  readonly scratchOf?: (teamId: string) => Workspace | undefined;
  readonly log: HostLog;
  /** Shows the user a message. */
  readonly notifyUser: (message: string) => void;
}

/**
 * The user's approval rules, each stored by its scope: `once` and `run` in memory, `workspace` in the store, `always` in the
 * user's own folder. A repository cannot write to any of these.
 */
export class Approvals {
  readonly #options: ApprovalsOptions;
  #temporary: readonly ApprovalRule[] = [];
  #reportedDamage: string | undefined;

  constructor(options: ApprovalsOptions) {
    this.#options = options;
  }

  /**
   * The decision of the rules on a call; a rule for one call is used up by it. If rules cannot be read, every call asks the
   * user, because one of them may deny it. @throws GavelError `StorageError` when the store cannot be read.
   */
  async judge(call: CallToApprove): Promise<ApprovalOutcome> {
    const { known, context } = await this.#rulesAndContext(call);
    const outcome = this.#evaluate(call, known, context);
    const { tool, participant, teamId } = call;
    const by = outcome.rules.length === 0 ? "" : `, by ${outcome.rules.map(({ id }) => id).join(", ")}`;
    this.#options.log.debug(`Call of ${tool.name} by ${participant} in team ${teamId}: ${outcome.decision}${by}.`);
    return outcome;
  }

  /** Adds a rule and gives it an id. @throws GavelError `InvalidParams` for a rule that cannot be parsed, `StorageError`. */
  async add(rule: NewApprovalRule): Promise<ApprovalRule> {
    const problem = ruleProblem(rule);
    if (problem !== undefined) {
      throw invalidParams("approvals/add", [{ path: `rule.${problem.field}`, message: problem.message }]);
    }
    const kept = { id: newId("rule"), ...rule, ...this.#plainPath(rule) };
    if (rule.scope === "workspace") await this.#options.records.add(kept);
    else if (rule.scope === "always") this.#options.userRules.add(kept);
    else this.#temporary = [...this.#temporary, kept];
    this.#options.log.info(`Approval rule ${kept.id} added: ${rule.decision} ${rule.tool}, scope ${rule.scope}.`);
    return kept;
  }

  /** The path of a rule in the form in which paths are compared. @throws GavelError `InvalidParams`. */
  #plainPath({ path, team }: NewApprovalRule): { readonly path?: string } {
    if (path === undefined) return {};
    try {
      return { path: plainPathRule(path, this.#places(team)) };
    } catch (error) {
      throw invalidParams("approvals/add", [{ path: "rule.path", message: messageOf(error) }]);
    }
  }

  /** False when there is no such rule. @throws GavelError `StorageError`. */
  async remove(id: string): Promise<boolean> {
    const { records, userRules } = this.#options;
    const removed = this.#removeTemporary(id) || (await records.remove(id)) || userRules.remove(id);
    if (removed) this.#options.log.info(`Approval rule ${id} removed.`);
    return removed;
  }

  /** The rules that apply to a team, or all of them. @throws GavelError `StorageError`. */
  list(teamId?: string): ApprovalRule[] {
    const { rules } = this.#rules();
    return rules.filter(({ team }) => teamId === undefined || team === undefined || team === teamId);
  }

  /** Suggested rules for a pending call: each choice is a set of rules that together allow it. */
  async suggest(call: CallToApprove): Promise<ApprovalSubject[][]> {
    const { context } = await this.#rulesAndContext(call);
    return suggestRules(asPending(call), context).map((choice) => [...choice]);
  }

  /**
   * Answers for the calls that wait for approval and that the rules decide; undefined if there are none. The call that was
   * `shown` to the user makes exactly the change of that preview, or none.
   */
  async answers(pending: readonly PendingCall[], shown?: ShownChange): Promise<ToolAnswers | undefined> {
    const restart: { ref: string; metadata: Record<string, unknown> }[] = [];
    const deny: { ref: string; reason: string }[] = [];
    for (const { ref, call } of pending) {
      const { decision, rules, reason } = await this.judge(asPending(call));
      const approved = { ...(rules[0] === undefined ? {} : { rule: rules[0].id }), reason };
      const preview = shown?.ref === ref && shown.teamId === call.teamId ? { preview: shown.preview } : {};
      if (decision === "allow") restart.push({ ref, metadata: { approved, ...preview } });
      else if (decision === "deny") deny.push({ ref, reason });
    }
    return restart.length + deny.length === 0 ? undefined : { restart, deny };
  }

  /** The paths that the rules deny a caller. @throws GavelError `StorageError`. */
  denied(caller: { readonly teamId: string; readonly participant: string }): DeniedPaths {
    return deniedPaths(this.#rules().rules, caller, this.#places(caller.teamId));
  }

  /** The files that a search of a call leaves out (see `ToolContext.leavesOut`); undefined when no rule restricts it. */
  leavesOut(call: CallToApprove): ((path: string) => Promise<boolean>) | undefined {
    const places = this.#places(call.teamId);
    const isRestricted = restrictedPaths(call, this.#rules().rules, { shell: SHELL, places });
    if (isRestricted === undefined) return undefined;
    const files = new RestrictedFiles(
      places.roots.map(({ path }) => path),
      isRestricted,
    );
    return async (path) => files.has(path.split(sep).join("/"));
  }

  /** Removes the rules for a team's run, which has ended. */
  runEnded(teamId: string): void {
    this.#temporary = this.#temporary.filter((rule) => rule.scope !== "run" || rule.team !== teamId);
  }

  #evaluate(call: CallToApprove, { rules, damage }: KnownRules, context: ApprovalContext): ApprovalOutcome {
    // A rule for one call may have been used up since the rules were read.
    const valid = rules.filter((rule) => !isTemporary(rule) || this.#temporary.includes(rule));
    const outcome = evaluateCall(call, valid, context);
    this.#temporary = this.#temporary.filter((rule) => rule.scope !== "once" || !outcome.rules.includes(rule));
    if (damage === undefined || outcome.decision !== "allow") return outcome;
    return { decision: "ask", rules: [], byRule: true, reason: damage };
  }

  /** The rules as they are when the disk has been looked at: a rule for one call may be used up meanwhile. */
  async #rulesAndContext(
    call: CallToApprove,
  ): Promise<{ readonly known: KnownRules; readonly context: ApprovalContext }> {
    for (;;) {
      const before = this.#rulesFor(call.teamId);
      const context = await this.#contextFor(call, before.rules);
      const known = this.#rulesFor(call.teamId);
      if (idsOf(known) === idsOf(before)) return { known, context };
    }
  }

  async #contextFor(call: CallToApprove, rules: readonly ApprovalRule[]): Promise<ApprovalContext> {
    const places = this.#places(call.teamId);
    const context: ApprovalContext = {
      shell: SHELL,
      places,
      files: this.#workspaceOf(call.teamId).files,
      expand: expandWildcards,
    };
    const files = new DiskFileNames(places.roots.map(({ path }) => path));
    return { ...context, findings: await findPaths(call, rules, context, files) };
  }

  #workspaceOf(teamId: string | undefined): Workspace {
    const { workspace, scratchOf } = this.#options;
    return (teamId === undefined ? undefined : scratchOf?.(teamId)) ?? workspace;
  }

  #places(teamId: string | undefined): PathPlaces {
    const roots = this.#workspaceOf(teamId).roots();
    const labels = rootLabels(roots);
    const known = roots.map((root, at) => ({ label: labels[at] ?? "", path: resolveRealPath(root) }));
    return { roots: known.filter(({ path }) => existsSync(path)), home: homedir(), realPath: resolveRealPath };
  }

  #removeTemporary(id: string): boolean {
    const before = this.#temporary.length;
    this.#temporary = this.#temporary.filter((rule) => rule.id !== id);
    return this.#temporary.length < before;
  }

  /** What the user allows in the workspace is not allowed in a scratch folder, which is none of it. */
  #rulesFor(teamId: string): KnownRules {
    const known = this.#rules();
    if (this.#options.scratchOf?.(teamId) === undefined) return known;
    return { ...known, rules: known.rules.filter((rule) => rule.scope !== "workspace" || rule.decision !== "allow") };
  }

  #rules(): KnownRules {
    const workspace = this.#options.records.all();
    const user = this.#options.userRules.all();
    const damage = workspace.damage ?? user.damage;
    if (damage !== undefined && damage !== this.#reportedDamage) this.#options.notifyUser(damage);
    this.#reportedDamage = damage;
    return { rules: [...this.#temporary, ...workspace.rules, ...user.rules], damage };
  }
}

interface KnownRules {
  readonly rules: readonly ApprovalRule[];
  /** Why some rules cannot be read. */
  readonly damage: string | undefined;
}

const isTemporary = ({ scope }: ApprovalRule): boolean => scope === "once" || scope === "run";

const idsOf = ({ rules, damage }: KnownRules): string => JSON.stringify([damage, ...rules.map(({ id }) => id)]);

/** A pending call waits for approval, whatever its tool declares. */
const asPending = (call: CallToApprove): CallToApprove => ({ ...call, tool: { ...call.tool, approval: "ask" } });
