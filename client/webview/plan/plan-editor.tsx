import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { PlanItem } from "../../../shared/contract/plan.ts";
import { LIMITS } from "../../../shared/limits.ts";
import { visibleLines } from "../../../shared/text/visible-text.ts";
import { announce } from "../state/announcements.ts";
import { post } from "../state/editor-bridge.ts";
import { canAct } from "../state/own-role.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import type { ShownPlan } from "./plan-state.ts";

export interface PlanEditorProps {
  readonly shown: ShownPlan;
}

/** The steps of a plan: checked off, renamed, moved, removed and added. The participant is shown them in its next turn. */
export function PlanEditor({ shown: { to, plan } }: PlanEditorProps) {
  const { items } = plan;
  const list = useRef<HTMLUListElement>(null);
  const focusAt = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (focusAt.current === null) return;
    const texts = list.current?.querySelectorAll<HTMLElement>(".step-text") ?? [];
    const last = Math.min(focusAt.current, texts.length - 1);
    focusAt.current = null;
    (texts[last] ?? list.current?.parentElement?.querySelector<HTMLElement>(".step-new"))?.focus();
  }, [items]);
  const edit = (next: readonly PlanItem[]): void => post({ type: "editPlan", to, items: next, was: items });
  const replace = (at: number, item: PlanItem): void => edit(items.with(at, item));
  /** The participant may have written its plan again meanwhile: the step is where its text is. One that is gone is new. */
  const rename = (at: number, was: string, text: string): void => {
    const place = items[at]?.text === was ? at : items.findIndex((item) => item.text === was);
    const item = items[place];
    if (item !== undefined) replace(place, { ...item, text });
    else edit(items.toSpliced(at, 0, { text, status: "pending" }));
  };
  const remove = (at: number): void => {
    focusAt.current = at;
    announce(`Step ${at + 1} removed`);
    edit(items.toSpliced(at, 1));
  };
  const move = (at: number, by: 1 | -1): void => {
    const item = items[at];
    if (item === undefined || at + by < 0 || at + by >= items.length) return;
    focusAt.current = at + by;
    announce(`Step moved to position ${at + by + 1} of ${items.length}`);
    edit(items.toSpliced(at, 1).toSpliced(at + by, 0, item));
  };
  const off = !canAct.value;
  return (
    <div class="plan-steps">
      <ul ref={list}>
        {items.map((item, at) => (
          <Step
            // Steps have no names of their own, and two may have the same text.
            key={at}
            item={item}
            position={at}
            count={items.length}
            off={off}
            replace={(next) => replace(at, next)}
            rename={(was, next) => rename(at, was, next)}
            remove={() => remove(at)}
            move={(by) => move(at, by)}
          />
        ))}
      </ul>
      {!off && items.length < LIMITS.plan.items && (
        <NewStep add={(text) => edit([...items, { text, status: "pending" }])} />
      )}
    </div>
  );
}

interface StepProps {
  readonly item: PlanItem;
  readonly position: number;
  readonly count: number;
  readonly off: boolean;
  readonly replace: (item: PlanItem) => void;
  /** Gives the step with the text `was` another one. */
  readonly rename: (was: string, text: string) => void;
  readonly remove: () => void;
  readonly move: (by: 1 | -1) => void;
}

function Step({ item, position, count, off, replace, rename, remove, move }: StepProps) {
  const { text, status } = item;
  /** What is being written, and the text of the step that it is of. */
  const [draft, setDraft] = useState<{ readonly text: string; readonly was: string } | null>(null);
  const finish = (): void => {
    const next = draft?.text.trim() ?? "";
    setDraft(null);
    if (draft !== null && next !== "" && next !== draft.was) rename(draft.was, next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) move(event.key === "ArrowUp" ? -1 : 1);
    else if (event.key === "Enter" && !event.isComposing) finish();
    else if (event.key === "Escape" && draft !== null) setDraft(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const name = `step ${position + 1}`;
  const button = (icon: IconName, label: string, onClick: () => void, disabled = false) => (
    <button
      type="button"
      class="icon-button"
      title={label}
      aria-label={`${label}: ${name}`}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <li class={`step is-${status}`}>
      <input
        type="checkbox"
        checked={status === "done"}
        disabled={off}
        aria-label={`Done: ${visibleLines(text)}`}
        onChange={() => replace({ text, status: status === "done" ? "pending" : "done" })}
      />
      <input
        type="text"
        class="step-text"
        value={draft?.text ?? visibleLines(text)}
        maxLength={LIMITS.plan.characters}
        readOnly={off}
        aria-label={`Text of ${name}${status === "inProgress" ? ", in progress" : ""}`}
        title={`${visibleLines(text)}\nAlt+Up and Alt+Down move the step.`}
        onInput={(event) => setDraft({ text: event.currentTarget.value, was: draft?.was ?? text })}
        onKeyDown={onKeyDown}
        onBlur={finish}
      />
      {!off && (
        <span class="step-buttons">
          {button("arrow-up", "Move Up", () => move(-1), position === 0)}
          {button("arrow-down", "Move Down", () => move(1), position === count - 1)}
          {button("close", "Remove", remove)}
        </span>
      )}
    </li>
  );
}

function NewStep({ add }: { readonly add: (text: string) => void }) {
  const [text, setText] = useState("");
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key !== "Enter" || event.isComposing || text.trim() === "") return;
    event.preventDefault();
    add(text.trim());
    setText("");
  };
  return (
    <input
      type="text"
      class="step-new"
      value={text}
      maxLength={LIMITS.plan.characters}
      placeholder="Add a step"
      aria-label="Add a step"
      onInput={(event) => setText(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}
