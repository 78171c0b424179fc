import { computed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { displayName } from "../../common/participants/participants.ts";
import { post } from "../state/editor-bridge.ts";
import { canAct } from "../state/own-role.ts";
import { team, toggledSections, toggleSection } from "../state/page-state.ts";
import { rosterAt } from "../state/roster.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import { InterruptReasoning } from "../ui/interrupt-reasoning.tsx";

/** What a request waits for, or is for. */
export interface Wait {
  readonly text: string;
  readonly full: string;
}

/** A lane: the row of one of several participants that are active at the same time. */
export interface Lane {
  readonly doing: "writing" | "thinking" | "using tools";
  /** What a participant that is thinking waits for, or does instead: in a few words, and as a sentence without its name. */
  readonly wait?: Wait;
  /** The key of the section that expands it; left out when there is nothing to expand. */
  readonly section?: string;
}

interface Props extends Lane {
  readonly source: string;
  readonly path: readonly string[];
}

const canStop = computed(() => canAct.value && team.value?.status === "running");

/** The first line of a lane: who it is and what it does, and the buttons that expand it and stop its participant. */
export function LaneLine({ source, path, doing, wait, section }: Props) {
  const members = rosterAt(path);
  const label = (
    <>
      <Avatar name={source} members={members} />
      <span class="speaker-name" title={displayName(source, members)}>
        {displayName(source, members)}
      </span>{" "}
      {wait === undefined ? (
        <span class="lane-doing">{doing === "thinking" ? "thinking…" : doing}</span>
      ) : (
        <span class="lane-doing is-waiting" title={`${displayName(source, members)} ${wait.full}`}>
          {wait.text}
        </span>
      )}
    </>
  );
  return (
    <div class={`speaker-line lane-line${doing === "thinking" ? " is-thinking" : ""}`} data-section={section}>
      {section === undefined ? <span class="lane-label">{label}</span> : <Toggle section={section}>{label}</Toggle>}
      {doing === "thinking" && wait === undefined && <InterruptReasoning participant={source} path={path} />}
      {canStop.value && <InterruptLane source={source} path={path} />}
    </div>
  );
}

function Toggle({ section, children }: { readonly section: string; readonly children: ComponentChildren }) {
  const open = toggledSections.value.has(section);
  return (
    <button
      type="button"
      class="lane-label lane-toggle"
      aria-expanded={open}
      title={open ? "Show only the end of the text" : "Show the whole text"}
      onClick={() => toggleSection(section)}
    >
      {children}
      <Icon name={open ? "chevron-down" : "chevron-right"} />
    </button>
  );
}

/** Interrupts one participant's turn; the others finish theirs. */
function InterruptLane({ source, path }: Pick<Props, "source" | "path">) {
  const label = `Interrupt ${source}`;
  return (
    <button
      type="button"
      class="icon-button stop-participant"
      title={`${label}; other speakers finish their turns`}
      aria-label={label}
      onClick={() =>
        post({ type: "interrupt", scope: { participant: source, ...(path.length === 0 ? {} : { path: [...path] }) } })
      }
    >
      <Icon name="stop-circle" />
    </button>
  );
}
