import { ApprovalDecision, type ApprovalRule } from "../../../shared/contract/approval.ts";
import { ruleText } from "../../../shared/contract/approval-text.ts";
import type { ToolDeclaration } from "../../../shared/contract/definition.ts";
import { messageOf } from "../../../shared/contract/errors.ts";
import { globMatcher } from "../glob.ts";
import { type ApprovalContext, type CallFacts, callFacts } from "./call-facts.ts";
import { jsonEquals } from "./json-equals.ts";
import { coversAllCalls, mightApply, type ParsedRule, parseRule, rulesThatAllow } from "./rule-matching.ts";

/** A call as rules see it. */
export interface CallToApprove {
  readonly tool: ToolDeclaration;
  readonly participant: string;
  readonly input: unknown;
  readonly teamId: string;
}

/** A rule that is code: its decision on a call, or nothing where it has none. It counts as a standing rule. */
export type ApprovalRuleFunction = (call: CallToApprove) => ApprovalDecision | undefined;

/** What the rules say of a call. */
export interface ApprovalOutcome {
  readonly decision: ApprovalDecision;
  /** The rules that decided, several where the parts of a call needed several; none for the tool's declaration and for code. */
  readonly rules: readonly ApprovalRule[];
  /** True where a rule spoke, false where it is the tool's declaration. */
  readonly byRule: boolean;
  /** One sentence for the user and the model. */
  readonly reason: string;
}

type Rule = ApprovalRule | ApprovalRuleFunction;

/**
 * Says whether a call may run, must not, or is put to the user (behaviour 36): an exact decision beats every standing one; among
 * equals deny beats ask, and ask beats allow; a rule that throws or can not be read denies. Where no rule speaks, the
 * tool's declaration does. Never throws.
 */
export function evaluateCall(
  call: CallToApprove,
  rules: readonly Rule[],
  surroundings: ApprovalContext,
): ApprovalOutcome {
  const opinions = new MatchedRules(call, surroundings);
  for (const rule of rules) {
    try {
      opinions.consider(rule);
    } catch (error) {
      return unusableRule(rule, error);
    }
  }
  return opinions.exact() ?? opinions.standing() ?? declaredOutcome(call.tool);
}

/** What the rules think of one call, gathered one by one. */
class MatchedRules {
  readonly #call: CallToApprove;
  readonly #facts: CallFacts;
  readonly #exact: ApprovalRule[] = [];
  readonly #standing: { readonly decision: ApprovalDecision; readonly rule?: ApprovalRule; readonly name: string }[] =
    [];
  /** Rules that allow a part of the call, perhaps. */
  readonly #partial: ParsedRule[] = [];

  constructor(call: CallToApprove, surroundings: ApprovalContext) {
    this.#call = call;
    this.#facts = callFacts(call.input, surroundings);
  }

  /** @throws what the rule throws, and Error when it can not be read. */
  consider(rule: Rule): void {
    if (typeof rule === "function") this.#considerFunction(rule);
    else if (rule.participant === undefined || rule.participant === this.#call.participant) {
      if (rule.team === undefined || rule.team === this.#call.teamId) this.#considerRule(rule);
    }
  }

  /** Deny beats ask, and ask beats allow. */
  exact(): ApprovalOutcome | undefined {
    for (const decision of BY_PRIORITY) {
      const rule = this.#exact.find((one) => one.decision === decision);
      if (rule !== undefined) return ruleOutcome(decision, [rule], ruleText(rule));
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
    return ruleOutcome("allow", used, used.map(ruleText).join('" and "'));
  }

  #considerFunction(rule: ApprovalRuleFunction): void {
    const decision = ApprovalDecision.optional().parse(rule(this.#call));
    if (decision !== undefined) this.#standing.push({ decision, name: rule.name || "a rule of the program" });
  }

  #considerRule(rule: ApprovalRule): void {
    const { tool, input } = this.#call;
    if (!globMatcher(rule.tool)(tool.name)) return;
    const read = parseRule(rule);
    const isSame = rule.input !== undefined && jsonEquals(rule.input, input);
    if (isSame && rule.tool === tool.name) this.#exact.push(rule);
    else if (isSame || coversAllCalls(read) || (rule.decision !== "allow" && mightApply(read, this.#facts))) {
      this.#standing.push({ decision: rule.decision, rule, name: ruleText(rule) });
    } else if (rule.decision === "allow") this.#partial.push(read);
  }
}

const BY_PRIORITY = ["deny", "ask", "allow"] as const;

const EFFECT = { allow: "allows this call", ask: "puts this call to the user", deny: "denies this call" } as const;

const ruleOutcome = (decision: ApprovalDecision, rules: readonly ApprovalRule[], name: string): ApprovalOutcome => ({
  decision,
  rules,
  byRule: true,
  reason: `The rule "${name}" ${EFFECT[decision]}.`,
});

/** What a tool's declaration says where no rule does. */
export function declaredOutcome({ name, approval }: ToolDeclaration): ApprovalOutcome {
  const asks = approval === "ask";
  const reason = asks
    ? `The tool ${name} needs the user's approval, and no rule gives it.`
    : `The tool ${name} needs no approval.`;
  return { decision: asks ? "ask" : "allow", rules: [], byRule: false, reason };
}

function unusableRule(rule: Rule, error: unknown): ApprovalOutcome {
  const [name, rules] = typeof rule === "function" ? [rule.name, []] : [ruleText(rule), [rule]];
  const reason = `The rule "${name}" can not be applied, so this call is denied: ${messageOf(error)}. Mend the rule, or remove it.`;
  return { decision: "deny", rules, byRule: true, reason };
}
