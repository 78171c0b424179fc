import type { ApprovalSubject } from "../../shared/contract/approval.ts";
import { ruleText } from "../../shared/contract/approval-text.ts";
import { visibleText } from "../../shared/text/visible-text.ts";

/**
 * The longest text of rules that a user is asked to allow, in characters. Of a longer input only this exact input can be
 * allowed, as the user has read it.
 */
const MAX_LENGTH = 1500;

/** The rules that one choice adds, as the user is shown them. */
export interface DescribedRules {
  readonly label: string;
  /** Each rule whole, with every character visible. */
  readonly shown: readonly string[];
  /** True when characters are written out. */
  readonly written: boolean;
  /** It allows the exact input alone. */
  readonly isExact: boolean;
}

export function describedRules(rules: readonly ApprovalSubject[]): DescribedRules {
  const shown = rules.map((rule) => visibleText(ruleText(rule)));
  return {
    label: labelFor(rules),
    shown: shown.map(({ text }) => text),
    written: shown.some(({ written }) => written),
    isExact: isExact(rules),
  };
}

/** Whether the rules can be shown whole. */
export function isShowable(rules: readonly ApprovalSubject[]): boolean {
  return isExact(rules) || describedRules(rules).shown.join("\n").length <= MAX_LENGTH;
}

const isExact = ([rule]: readonly ApprovalSubject[]): boolean => rule?.input !== undefined;

function labelFor(rules: readonly ApprovalSubject[]): string {
  const commands = rules.filter(({ command }) => command !== undefined);
  if (isExact(rules)) return "Exactly This Input";
  if (commands.length > 0) {
    const what = commands.length === 1 ? "This Command" : "These Commands";
    return commands.some(({ command }) => command?.endsWith(" *")) ? `${what} with Any Further Arguments` : what;
  }
  if (rules.some(({ host }) => host !== undefined))
    return rules.length === 1 ? "Everything on This Site" : "These Sites and Paths";
  if (rules.some(({ path }) => path !== undefined)) return "This Path with Any Other Input";
  return rules.some(({ tool }) => tool.endsWith("/*")) ? "Every Tool of This Server" : "Every Call of This Tool";
}
