import type { ComponentChildren } from "preact";
import { toggledSections, toggleSection } from "../state/page-state.ts";
import { Icon } from "./icon.tsx";

interface Props {
  /** The key under which the page remembers whether it is expanded. */
  readonly id: string;
  readonly label: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A line that expands. Its content is rendered only while it is expanded. */
export function Collapsible({ id, label, children }: Props) {
  const open = toggledSections.value.has(id);
  return (
    <div class={`collapsible${open ? " is-open" : ""}`} data-section={id}>
      <button type="button" class="collapsible-header" aria-expanded={open} onClick={() => toggleSection(id)}>
        <Icon name="chevron-right" />
        {label}
      </button>
      {open && <div class="collapsible-content">{children}</div>}
    </div>
  );
}
