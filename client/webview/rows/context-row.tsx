import { ownValue } from "../../../shared/json-record.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import type { ContextItem } from "../../common/timeline/items.ts";
import { post } from "../state/editor-bridge.ts";
import { team } from "../state/page-state.ts";
import { contextText } from "../text/context-text.ts";
import { Collapsible } from "../ui/collapsible.tsx";
import { Icon } from "../ui/icon.tsx";
import { TextBlock } from "../ui/text-block.tsx";
import { EventLine } from "./event-rows.tsx";

interface Props {
  readonly item: ContextItem;
  /** The path to the nested team of the participant. */
  readonly path: readonly string[];
}

/** What became of a participant's context: a summary can be read, and undone while its participant is shown it. */
export function ContextRow({ item, path }: Props) {
  const to = [...path, item.participant].join("/");
  const label = item.change === "requested" ? "Cancel" : "Undo";
  const canUndo = team.value !== null && isCurrent(team.value, item, path);
  return (
    <>
      <EventLine icon="fold" at={item.at}>
        {contextText(item)}
        {canUndo && (
          <>
            {" · "}
            <button
              type="button"
              class="link-button"
              title={`Show ${item.participant} the messages themselves`}
              aria-label={`${label}: show ${item.participant} the messages themselves`}
              onClick={() => post({ type: "restoreContext", to })}
            >
              {label}
            </button>
          </>
        )}
      </EventLine>
      {item.summary !== undefined && (
        <div class="event-context">
          <Collapsible
            id={`${item.key}-summary`}
            label={
              <>
                <Icon name="note" />
                <span class="thought-label">Summary</span>
              </>
            }
          >
            <TextBlock label={`Summary by ${item.participant}`} text={item.summary.text} />
          </Collapsible>
        </div>
      )}
    </>
  );
}

/** Whether the participant's model is still shown this summary, or still waits for this request. */
function isCurrent(state: TeamState, { participant, change, summary }: ContextItem, path: readonly string[]): boolean {
  const at = path.reduce<TeamState | undefined>((outer, name) => ownValue(outer?.inner, name), state);
  const context = ownValue(at?.contexts, participant);
  if (change === "requested") return context?.requested === true;
  return summary !== undefined && JSON.stringify(context?.summary?.through) === JSON.stringify(summary.through);
}
