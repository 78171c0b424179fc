import { ApprovalDecision, type ApprovalRule } from "../../../shared/contract/approval.ts";
import { ruleText } from "../../../shared/contract/approval-text.ts";
import type { ToolDeclaration } from "../../../shared/contract/definition.ts";
import { messageOf } from "../../../shared/contract/errors.ts";
import { jsonEquals } from "../../../shared/json-equals.ts";
import type { CallEffects } from "../tool.ts";
import { type ApprovalContext, type CallFacts, callFacts } from "./call-facts.ts";
import {
  appliesTo,
  coversAllCalls,
  mightApply,
  nearlyAllows,
  type ParsedRule,
  parseRule,
  rulesThatAllow,
} from "./rule-matching.ts";
import { namesFile, type SensitiveParts, sensitiveParts } from "./sensitive-parts.ts";

/** A tool call to be decided: what the rules are matched against. */
export interface CallToApprove {
  readonly tool: ToolDeclaration;
  readonly participant: string;
  /** In its normal form. */
  readonly input: unknown;
  /** What the call does, as its tool states it. Guessed from the names of fields when left out. */
  readonly effects?: CallEffects;
  /** What runs the tool, where that is neither the host nor its client. */
  readonly provider?: string;
  readonly teamId: string;
}

/** A rule written as code: returns its decision on a call, or undefined for none. It ranks as a standing rule. */
export type ApprovalRuleFunction = (call: CallToApprove) => ApprovalDecision | undefined;

/** The decision on a call, and where it came from. */
export interface ApprovalOutcome {
  readonly decision: ApprovalDecision;
  /** The rules that decided: several when the parts of a call needed several, none for the tool's declaration or code. */
  readonly rules: readonly ApprovalRule[];
  /** True when a rule or a sensitive file decided, false when it was the tool's declaration. */
  readonly byRule: boolean;
  /** One sentence for the user and the model. */
  readonly reason: string;
  /** Why the user reviews the result before the model sees it, as a sentence; undefined if no rule says so. */
  readonly review?: string;
}

type Rule = ApprovalRule | ApprovalRuleFunction;

/**
 * Decides whether a call may run, must not run, or needs the user's approval. An exact decision beats every standing one;
 * among equals, deny beats ask and ask beats allow. A rule that throws or cannot be parsed denies. Without a matching rule,
 * the tool's declaration decides. A sensitive file asks, unless a rule names exactly this file. Whether the result is
 * reviewed is decided apart. Never throws.
 */
export function evaluateCall(call: CallToApprove, rules: readonly Rule[], context: ApprovalContext): ApprovalOutcome {
  const matched = new MatchedRules(call, context);
  for (const rule of rules) {
    try {
      matched.consider(rule);
    } catch (error) {
      return unusableRule(rule, error);
    }
  }
  const outcome =
    matched.forbidden() ??
    matched.exact() ??
    matched.guarded(asking(matched.standing() ?? matched.declared(), context));
  const { review } = matched;
  return review === undefined ? outcome : { ...outcome, review };
}

/** A call that a rule may deny, for what is found on the disk, is not allowed by another standing rule. */
function asking(outcome: ApprovalOutcome, { findings }: ApprovalContext): ApprovalOutcome {
  if (findings?.doubt === undefined || outcome.decision !== "allow") return outcome;
  return { decision: "ask", rules: [], byRule: true, reason: findings.doubt };
}

/** Collects the rules that match one call. */
class MatchedRules {
  readonly #call: CallToApprove;
  readonly #context: ApprovalContext;
  readonly #facts: CallFacts;
  readonly #exact: ApprovalRule[] = [];
  readonly #standing: {
    readonly decision: (typeof BY_PRIORITY)[number];
    readonly rule?: ApprovalRule;
    readonly name: string;
  }[] = [];
  /** Allow rules that may cover a part of the call. */
  readonly #partial: ParsedRule[] = [];
  readonly #sensitive: SensitiveParts;
  #review: string | undefined;

  constructor(call: CallToApprove, context: ApprovalContext) {
    this.#call = call;
    this.#context = context;
    this.#facts = callFacts(call, context);
    this.#sensitive = sensitiveParts(call, this.#facts, context);
  }

  /** Why the result is reviewed. */
  get review(): string | undefined {
    return this.#review;
  }

  /** @throws what a rule function throws, and Error for a rule that cannot be parsed. */
  consider(rule: Rule): void {
    if (typeof rule === "function") this.#considerFunction(rule);
    else if (appliesTo(rule, this.#call)) this.#considerRule(rule);
  }

  /** A call that uses Gavel's own storage is denied, whatever the rules say. */
  forbidden(): ApprovalOutcome | undefined {
    const { forbidden } = this.#sensitive;
    return forbidden === undefined ? undefined : { decision: "deny", rules: [], byRule: true, reason: forbidden };
  }

  /** The outcome of standing rules and the declaration, changed to asking when a sensitive file is not named by a rule. */
  guarded(outcome: ApprovalOutcome): ApprovalOutcome {
    if (outcome.decision === "deny" || (outcome.decision === "ask" && outcome.byRule)) return outcome;
    if (this.#standing.some(({ decision, rule }) => decision === "allow" && rule?.input !== undefined)) return outcome;
    const unnamed = this.#sensitive.parts.find((part) => !namesFile(part, this.#partial));
    return unnamed === undefined ? outcome : { decision: "ask", rules: [], byRule: true, reason: unnamed.reason };
  }

  /** Deny beats ask, and ask beats allow. */
  exact(): ApprovalOutcome | undefined {
    for (const decision of BY_PRIORITY) {
      const rule = this.#exact.find((one) => one.decision === decision);
      if (rule !== undefined) return ruleOutcome(decision, [rule], nameOf(rule));
    }
    return undefined;
  }

  standing(): ApprovalOutcome | undefined {
    for (const decision of BY_PRIORITY) {
      const found = this.#standing.find((one) => one.decision === decision);
      if (found !== undefined) return ruleOutcome(decision, found.rule === undefined ? [] : [found.rule], found.name);
    }
    const together = rulesThatAllow(this.#partial, this.#facts);
    if (together === undefined) return undefined;
    const used = together.map(({ rule }) => rule);
    return ruleOutcome("allow", used, used.map(nameOf).join('" and "'));
  }

  /** What the declaration says; if it asks, with the rule that would allow the call but for its options. */
  declared(): ApprovalOutcome {
    const outcome = declaredOutcome(this.#call.tool);
    const near = outcome.decision === "ask" ? nearlyAllows(this.#partial, this.#facts) : undefined;
    if (near === undefined) return outcome;
    const reason = `The rule "${nameOf(near.rule)}" does not allow this call: ${near.why}.`;
    return { decision: "ask", rules: [], byRule: true, reason };
  }

  #considerFunction(rule: ApprovalRuleFunction): void {
    const decision = ApprovalDecision.optional().parse(rule(this.#call));
    if (decision === "review") this.#review ??= reviewReason(nameOf(rule));
    else if (decision !== undefined) this.#standing.push({ decision, name: nameOf(rule) });
  }

  #considerRule(rule: ApprovalRule): void {
    const { tool, input } = this.#call;
    const parsed = parseRule(rule, this.#context);
    const isSame = rule.input !== undefined && jsonEquals(rule.input, input);
    const { decision } = rule;
    if (decision === "review") {
      const isReviewed = isSame || coversAllCalls(parsed) || mightApply(parsed, this.#facts);
      if (isReviewed) this.#review ??= reviewReason(nameOf(rule));
    } else if (isSame && rule.tool === tool.name) this.#exact.push(rule);
    else if (isSame || coversAllCalls(parsed) || (decision !== "allow" && mightApply(parsed, this.#facts))) {
      this.#standing.push({ decision, rule, name: nameOf(rule) });
    } else if (decision === "allow") this.#partial.push(parsed);
  }
}

const BY_PRIORITY = ["deny", "ask", "allow"] as const;

/** A rule as its reason names it; a function may have no name. */
const nameOf = (rule: Rule): string => (typeof rule === "function" ? rule.name || "a rule in code" : ruleText(rule));

const EFFECT = {
  allow: "allows this call",
  ask: "requires the user's approval for this call",
  deny: "denies this call",
} as const;

const reviewReason = (name: string): string => `The rule "${name}" has you review the result of this call.`;

const ruleOutcome = (
  decision: (typeof BY_PRIORITY)[number],
  rules: readonly ApprovalRule[],
  name: string,
): ApprovalOutcome => ({
  decision,
  rules,
  byRule: true,
  reason: `The rule "${name}" ${EFFECT[decision]}.`,
});

/** The outcome when no rule matches: what the tool's declaration says. */
export function declaredOutcome({ name, approval }: ToolDeclaration): ApprovalOutcome {
  const asks = approval === "ask";
  const reason = asks
    ? `The tool ${name} needs the user's approval, and no rule allows this call.`
    : `The tool ${name} needs no approval.`;
  return { decision: asks ? "ask" : "allow", rules: [], byRule: false, reason };
}

function unusableRule(rule: Rule, error: unknown): ApprovalOutcome {
  const rules = typeof rule === "function" ? [] : [rule];
  const reason = `The rule "${nameOf(rule)}" cannot be applied, so this call is denied: ${messageOf(error)}. Fix or remove the rule.`;
  return { decision: "deny", rules, byRule: true, reason };
}
