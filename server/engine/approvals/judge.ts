import { ruleText } from "../../../shared/approval-text.ts";
import { ApprovalDecision, type ApprovalRule } from "../../../shared/contract/approval.ts";
import type { ToolDeclaration } from "../../../shared/contract/definition.ts";
import { messageOf } from "../../../shared/errors.ts";
import { globMatcher } from "../../../shared/glob.ts";
import { type CallFacts, factsOf, type Surroundings } from "./call-facts.ts";
import { sameJson } from "./same-json.ts";
import { allowing, concerns, isWhole, type ReadRule, readRule } from "./standing-rules.ts";

/** A call as rules see it. */
export interface JudgedCall {
  readonly tool: ToolDeclaration;
  readonly participant: string;
  readonly input: unknown;
  readonly teamId: string;
}

/** A rule that is code: its decision on a call, or nothing where it has none. It counts as a standing rule. */
export type RuleFunction = (call: JudgedCall) => ApprovalDecision | undefined;

/** What the rules say of a call. */
export interface Verdict {
  readonly decision: ApprovalDecision;
  /** The rules that decided, several where the parts of a call needed several; none for the tool's declaration and for code. */
  readonly rules: readonly ApprovalRule[];
  /** True where a rule spoke, false where it is the tool's declaration. */
  readonly ruled: boolean;
  /** One sentence for the user and the model. */
  readonly reason: string;
}

type Rule = ApprovalRule | RuleFunction;

/**
 * Says whether a call may run, must not, or is put to the user (behaviour 36): an exact decision beats every standing one; among
 * equals deny beats ask, and ask beats allow; a rule that throws or can not be read denies. Where no rule speaks, the
 * tool's declaration does. Never throws.
 */
export function judge(call: JudgedCall, rules: readonly Rule[], surroundings: Surroundings): Verdict {
  const opinions = new Opinions(call, surroundings);
  for (const rule of rules) {
    try {
      opinions.hear(rule);
    } catch (error) {
      return broken(rule, error);
    }
  }
  return opinions.exact() ?? opinions.standing() ?? byDeclaration(call.tool);
}

/** What the rules think of one call, gathered one by one. */
class Opinions {
  readonly #call: JudgedCall;
  readonly #facts: CallFacts;
  readonly #exact: ApprovalRule[] = [];
  readonly #standing: { readonly decision: ApprovalDecision; readonly rule?: ApprovalRule; readonly name: string }[] =
    [];
  /** Rules that allow a part of the call, perhaps. */
  readonly #partial: ReadRule[] = [];

  constructor(call: JudgedCall, surroundings: Surroundings) {
    this.#call = call;
    this.#facts = factsOf(call.input, surroundings);
  }

  /** @throws what the rule throws, and Error when it can not be read. */
  hear(rule: Rule): void {
    if (typeof rule === "function") this.#hearCode(rule);
    else if (rule.participant === undefined || rule.participant === this.#call.participant) {
      if (rule.team === undefined || rule.team === this.#call.teamId) this.#hearRule(rule);
    }
  }

  /** Deny beats ask, and ask beats allow. */
  exact(): Verdict | undefined {
    for (const decision of BY_WEIGHT) {
      const rule = this.#exact.find((one) => one.decision === decision);
      if (rule !== undefined) return verdict(decision, [rule], ruleText(rule));
    }
    return undefined;
  }

  standing(): Verdict | undefined {
    for (const decision of BY_WEIGHT) {
      const found = this.#standing.find((one) => one.decision === decision);
      if (found !== undefined) return verdict(decision, found.rule === undefined ? [] : [found.rule], found.name);
    }
    const together = allowing(this.#partial, this.#facts);
    if (together === undefined) return undefined;
    const used = together.map(({ rule }) => rule);
    return verdict("allow", used, used.map(ruleText).join('" and "'));
  }

  #hearCode(rule: RuleFunction): void {
    const decision = ApprovalDecision.optional().parse(rule(this.#call));
    if (decision !== undefined) this.#standing.push({ decision, name: rule.name || "a rule of the program" });
  }

  #hearRule(rule: ApprovalRule): void {
    const { tool, input } = this.#call;
    if (!globMatcher(rule.tool)(tool.name)) return;
    const read = readRule(rule);
    const isSame = rule.input !== undefined && sameJson(rule.input, input);
    if (isSame && rule.tool === tool.name) this.#exact.push(rule);
    else if (isSame || isWhole(read) || (rule.decision !== "allow" && concerns(read, this.#facts))) {
      this.#standing.push({ decision: rule.decision, rule, name: ruleText(rule) });
    } else if (rule.decision === "allow") this.#partial.push(read);
  }
}

const BY_WEIGHT = ["deny", "ask", "allow"] as const;

const SAYS = { allow: "allows this call", ask: "puts this call to the user", deny: "denies this call" } as const;

const verdict = (decision: ApprovalDecision, rules: readonly ApprovalRule[], name: string): Verdict => ({
  decision,
  rules,
  ruled: true,
  reason: `The rule "${name}" ${SAYS[decision]}.`,
});

/** What a tool's declaration says where no rule does. */
export function byDeclaration({ name, approval }: ToolDeclaration): Verdict {
  const asks = approval === "ask";
  const reason = asks
    ? `The tool ${name} needs the user's approval, and no rule gives it.`
    : `The tool ${name} needs no approval.`;
  return { decision: asks ? "ask" : "allow", rules: [], ruled: false, reason };
}

function broken(rule: Rule, error: unknown): Verdict {
  const [name, rules] = typeof rule === "function" ? [rule.name, []] : [ruleText(rule), [rule]];
  const reason = `The rule "${name}" can not be applied, so this call is denied: ${messageOf(error)}. Mend the rule, or remove it.`;
  return { decision: "deny", rules, ruled: true, reason };
}
