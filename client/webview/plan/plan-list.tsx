import type { ComponentType } from "preact";
import { doneCount } from "../../../shared/plan-tool.ts";
import { visibleLines } from "../../../shared/text/visible-text.ts";
import { addresseeName } from "../../common/addressee-name.ts";
import { LazyPart } from "../state/lazy-part.ts";
import { toggledSections, toggleSection } from "../state/page-state.ts";
import { Icon } from "../ui/icon.tsx";
import type { PlanEditorProps } from "./plan-editor.tsx";
import { plans, type ShownPlan } from "./plan-state.ts";

/** The steps of a plan and what edits them: loaded when a plan is first expanded. */
const editor = new LazyPart<ComponentType<PlanEditorProps>>(() =>
  import("./plan-editor.tsx").then(({ PlanEditor }) => PlanEditor),
);

/** The participants' plans, a line each that expands. */
export function PlanList() {
  if (plans.value.length === 0) return null;
  return (
    <section class="plans above-composer" aria-label="Plans">
      {plans.value.map((shown) => (
        <PlanLine key={shown.to} shown={shown} />
      ))}
    </section>
  );
}

function PlanLine({ shown }: { readonly shown: ShownPlan }) {
  const { to, plan } = shown;
  const section = `plan ${to}`;
  const open = toggledSections.value.has(section);
  const Editor = editor.loaded;
  if (open) editor.load();
  const current = plan.items.find(({ status }) => status === "inProgress");
  return (
    <div class={`plan collapsible${open ? " is-open" : ""}`}>
      <button type="button" class="plan-line" aria-expanded={open} onClick={() => toggleSection(section)}>
        <Icon name="chevron-right" />
        <span class="plan-owner">
          <span class="plan-of">Plan of </span>
          {visibleLines(addresseeName(to))}
        </span>
        <span class="plan-current">{current === undefined ? "" : visibleLines(current.text)}</span>
        <span class="plan-progress">
          {doneCount(plan.items)}
          <span class="plan-of"> done</span>
        </span>
      </button>
      {open && Editor !== undefined && <Editor shown={shown} />}
    </div>
  );
}
