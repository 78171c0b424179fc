import * as z from "zod";

/** What a rule says of the calls that it fits. */
export const ApprovalDecision = z.enum(["allow", "deny", "ask"]);
export type ApprovalDecision = z.infer<typeof ApprovalDecision>;

/**
 * How long a rule holds: for one call, until the team's run is over (a run that waits for rulings goes on with the next one),
 * in this workspace, or always and everywhere.
 */
export const ApprovalScope = z.enum(["once", "run", "workspace", "always"]);
export type ApprovalScope = z.infer<typeof ApprovalScope>;

const pattern = z.string().min(1).max(20_000);

const subject = {
  /** The tool's name, or a glob over it; `*` for every tool. */
  tool: z.string().min(1).max(200),
  /** Who calls; anyone if left out. */
  participant: z.string().min(1).max(200).optional(),
  /**
   * The words of a command, quoted as for a shell. A word `*` stands for any number of words, a `*` within a word for any
   * characters of it. A rule that allows fits a command of just these words; one that denies or asks also fits one that goes on after
   * them. Each part of a compound command is judged by itself.
   */
  command: pattern.optional(),
  /**
   * A glob over the paths that a call names in its input, those of the workspace relative to it with `/`. For a command: over the
   * files that it redirects from and to, and the folder it runs in.
   */
  path: pattern.optional(),
  /** A host name such as `*.example.com`, with a port to fit that port alone. It fits the hosts of the URLs in the input. */
  host: pattern.optional(),
  /** The whole input, exactly: such a rule is an exact decision when it also gives the tool's exact name. */
  input: z.unknown().optional(),
};

/** The calls that a rule is about. */
export const ApprovalSubject = z.strictObject(subject);
export type ApprovalSubject = z.infer<typeof ApprovalSubject>;

const fields = {
  decision: ApprovalDecision,
  ...subject,
  scope: ApprovalScope,
  /** The team that it holds for; any if left out. A rule for one run or one call needs it. */
  team: z.string().min(1).max(200).optional(),
};

const ARGUMENTS = ["command", "path", "host", "input"] as const;

/** All that a rule's fields must keep to beyond their shapes. */
function check(rule: { readonly [K in keyof typeof fields]?: unknown }, context: z.core.$RefinementCtx): void {
  const given = ARGUMENTS.filter((name) => rule[name] !== undefined);
  if (given.length > 1) {
    const message = `a rule can have only one of ${given.join(", ")}; add a second rule for the other`;
    context.addIssue({ code: "custom", message, path: [given[1] ?? ""] });
  }
  if ((rule.scope === "once" || rule.scope === "run") && rule.team === undefined) {
    context.addIssue({ code: "custom", message: `a rule with the scope "${rule.scope}" needs a team`, path: ["team"] });
  }
}

/** A rule before the host has given it its id. */
export const NewApprovalRule = z.strictObject(fields).superRefine(check);
export type NewApprovalRule = z.infer<typeof NewApprovalRule>;

/**
 * A standing or exact decision on tool calls. Deny beats ask, and ask beats allow; an exact decision (the same tool with exactly
 * that input) beats every standing one.
 */
export const ApprovalRule = z.strictObject({ id: z.string().min(1).max(200), ...fields }).superRefine(check);
export type ApprovalRule = z.infer<typeof ApprovalRule>;

/** Why a call ran without being put to the user: the rule that allowed it (the first, where its parts needed several), in words. */
export const Approved = z.object({ rule: z.string().optional(), reason: z.string() });
export type Approved = z.infer<typeof Approved>;
