import * as z from "zod";

/**
 * What a rule decides for the calls that it matches. `review` decides nothing on whether a call runs: the user reviews its
 * result before the model sees it.
 */
export const ApprovalDecision = z.enum(["allow", "deny", "ask", "review"]);
export type ApprovalDecision = z.infer<typeof ApprovalDecision>;

/**
 * How long a rule applies: to one call, until the team's run is over (a run that waits for decisions continues as the same
 * run), in this workspace, or everywhere.
 */
export const ApprovalScope = z.enum(["once", "run", "workspace", "always"]);
export type ApprovalScope = z.infer<typeof ApprovalScope>;

const pattern = z.string().min(1).max(20_000);

const subject = {
  /** The tool's name, or a glob over it; `*` for every tool. */
  tool: z.string().min(1).max(200),
  /**
   * What runs the tool, such as the command of its server: another one may have tools of the same names. Any if left out.
   */
  provider: z.string().min(1).max(10_000).optional(),
  /** The participant that calls the tool; any if left out. */
  participant: z.string().min(1).max(200).optional(),
  /**
   * The words of a command, quoted as for a shell. A word `*` matches any number of words, a `*` within a word any
   * characters of that word. A rule that allows matches a command of exactly these words; one that denies or asks also
   * matches a command that has more words after them. Each part of a compound command is evaluated separately. A rule that
   * allows has to name options with which a program runs, loads, uploads or writes something else: a star covers none of
   * them, except in a rule of nothing but `*`.
   */
  command: pattern.optional(),
  /**
   * A glob over the paths that a call uses, with links resolved and with `/`: relative to the first open folder, after an
   * open folder's name, or absolute. For a command: over the files that it redirects from and to, and the folder that it
   * runs in. A rule that denies or asks matches in every folder, and also looks at a command's words.
   */
  path: pattern.optional(),
  /**
   * A host name such as `*.example.com`, with a port to match only that port. It matches the hosts of the URLs in the
   * input. No such rule allows a value that looks like a URL in an unusual form, such as `//host`.
   */
  host: pattern.optional(),
  /** The whole input. With the tool's exact name, such a rule is an exact decision. */
  input: z.unknown().optional(),
};

/** The calls that a rule is about. */
export const ApprovalSubject = z.strictObject(subject);
export type ApprovalSubject = z.infer<typeof ApprovalSubject>;

const fields = {
  decision: ApprovalDecision,
  ...subject,
  scope: ApprovalScope,
  /** The team that it applies to; any if left out. Required for a rule for one run or one call. */
  team: z.string().min(1).max(200).optional(),
};

const ARGUMENTS = ["command", "path", "host", "input"] as const;

/** Constraints between the fields of a rule. */
function check(rule: { readonly [K in keyof typeof fields]?: unknown }, context: z.core.$RefinementCtx): void {
  const given = ARGUMENTS.filter((name) => rule[name] !== undefined);
  if (given.length > 1) {
    const message = `a rule can have only one of ${given.join(", ")}; add a second rule for the other`;
    context.addIssue({ code: "custom", message, path: [given[1] ?? ""] });
  }
  if (rule.decision === "review" && rule.scope === "once") {
    const message = 'a rule that reviews results cannot be for one call; use the scope "run"';
    context.addIssue({ code: "custom", message, path: ["scope"] });
  }
  if ((rule.scope === "once" || rule.scope === "run") && rule.team === undefined) {
    context.addIssue({ code: "custom", message: `a rule with the scope "${rule.scope}" needs a team`, path: ["team"] });
  }
}

/** A rule before the host assigns its id. */
export const NewApprovalRule = z.strictObject(fields).superRefine(check);
export type NewApprovalRule = z.infer<typeof NewApprovalRule>;

/**
 * A standing or exact decision on tool calls. Deny overrides ask, and ask overrides allow; an exact decision (the same tool
 * with exactly that input) overrides every standing one. Rules that review results apply beside the others.
 */
export const ApprovalRule = z.strictObject({ id: z.string().min(1).max(200), ...fields }).superRefine(check);
export type ApprovalRule = z.infer<typeof ApprovalRule>;

/** Why a call ran without asking the user. `rule` is the rule that allowed it, the first if its parts needed several. */
export const Approved = z.object({ rule: z.string().optional(), reason: z.string() });
export type Approved = z.infer<typeof Approved>;
