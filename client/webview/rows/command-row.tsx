import { endedCommandText } from "../../../shared/text/command-text.ts";
import type { CommandItem } from "../../common/timeline/items.ts";
import { post } from "../state/editor-bridge.ts";
import { EventLine } from "./event-rows.tsx";

/** A background command has ended: by itself with a failure, or as someone wanted it. */
export function CommandRow({ item }: { readonly item: CommandItem }) {
  const { id, end } = item;
  const hasFailed =
    end.stoppedBy === undefined && !(end.exit !== undefined && "code" in end.exit && end.exit.code === 0);
  return (
    <EventLine icon="terminal" at={item.at} {...(hasFailed ? { tone: "warning" } : {})}>
      {endedCommandText(item)}
      {end.problem === undefined && end.lost === undefined && (
        <>
          {" · "}
          <button type="button" class="link-button" onClick={() => post({ type: "showCommandOutput", id })}>
            Show Output
          </button>
        </>
      )}
    </EventLine>
  );
}
