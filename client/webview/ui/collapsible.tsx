import type { ComponentChildren } from "preact";
import { toggleFold, unfolded } from "../state/page-state.ts";
import { Icon } from "./icon.tsx";

interface Props {
  /** Under which the page remembers whether it is unfolded. */
  readonly id: string;
  readonly label: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A line that unfolds. Its content is not in the page until then. */
export function Fold({ id, label, children }: Props) {
  const open = unfolded.value.has(id);
  return (
    <div class={`fold${open ? " is-open" : ""}`} data-fold={id}>
      <button type="button" class="fold-line" aria-expanded={open} onClick={() => toggleFold(id)}>
        <Icon name="chevron-right" />
        {label}
      </button>
      {open && <div class="fold-content">{children}</div>}
    </div>
  );
}
