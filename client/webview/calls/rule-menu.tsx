import { useState } from "preact/hooks";
import type { CallCard, RuleChoice, RuleScope } from "../../common/call-card.ts";
import { Icon } from "../ui/icon.tsx";
import { MenuButton } from "../ui/menu.tsx";
import { type Decided, decide } from "./decision-button.tsx";
import { useGuardedClick } from "./settled.ts";

const SCOPE_LABELS: Readonly<Record<RuleScope, string>> = {
  run: "In This Run",
  workspace: "In This Workspace",
  always: "Always",
};

interface Props {
  readonly on: Decided;
  readonly card: CallCard;
}

/** The rules that would let calls like this one run without asking, each whole. */
export function RuleMenu({ on, card: { rules, scopes } }: Props) {
  const [scope, setScope] = useState<RuleScope>(scopes[0] ?? "run");
  return (
    <MenuButton label="Allow Without Asking…" class="button is-chevron">
      {(close) => (
        <>
          <div class="menu-title" id={`allow-${on.callRef}`}>
            Allow without asking
          </div>
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields; this groups items of a menu */}
          <div class="menu-scopes" role="group" aria-labelledby={`allow-${on.callRef}`}>
            {scopes.map((each) => (
              <button
                key={each}
                type="button"
                class="menu-item"
                role="menuitemradio"
                aria-checked={each === scope}
                tabIndex={-1}
                onClick={() => setScope(each)}
              >
                <Icon name="check" />
                {SCOPE_LABELS[each]}
              </button>
            ))}
          </div>
          <hr class="menu-separator" />
          {rules.map((rule, choice) => (
            <RuleItem
              key={choice}
              rule={rule}
              scope={scope}
              settled={on.settled}
              choose={() => {
                close();
                decide(on, { how: "allow", choice, scope });
              }}
            />
          ))}
        </>
      )}
    </MenuButton>
  );
}

interface ItemProps {
  readonly rule: RuleChoice;
  readonly scope: RuleScope;
  readonly settled: boolean;
  readonly choose: () => void;
}

function RuleItem({ rule, scope, settled, choose }: ItemProps) {
  const guarded = useGuardedClick(settled, choose);
  return (
    <button type="button" class="menu-item rule" role="menuitem" tabIndex={-1} {...guarded}>
      <span class="rule-label">{rule.label}</span>
      {rule.rules.length === 0 ? (
        <span class="rule-text">As this card shows it</span>
      ) : (
        rule.rules.map((text) => (
          <code key={text} class="rule-text">
            {text}
          </code>
        ))
      )}
      <span class="rule-scope">{SCOPE_LABELS[scope]}</span>
    </button>
  );
}
