import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { addresseeName } from "../../../common/addressee-name.ts";
import { team } from "../../state/page-state.ts";
import { agentNames } from "../composer-state.ts";
import { putBack } from "../draft.ts";
import { withAddressee } from "../mentions.ts";

interface Props {
  readonly to: string | undefined;
  readonly text: string;
  /** Called with the new text; null to leave the message unchanged. */
  readonly close: (written: string | null) => void;
}

/** Edits a waiting message in place. If the message is delivered first, unsaved text moves to its team's draft. */
export function WaitingMessageEditor({ to, text, close }: Props) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [written, setWritten] = useState(text);
  const unsaved = useRef<string | null>(null);
  useLayoutEffect(() => {
    box.current?.focus();
    // Another team may be shown by then.
    const teamId = team.peek()?.teamId ?? "";
    const names = agentNames.peek();
    return () => {
      const { current } = unsaved;
      if (current !== null) putBack(teamId, to === undefined ? current : withAddressee(current, to, names));
    };
  }, [to]);
  const finish = (result: string | null): void => {
    unsaved.current = null;
    close(result);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === "Escape") finish(null);
    else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      finish(written.trim() === "" || written === text ? null : written.trim());
    }
  };
  return (
    <textarea
      ref={box}
      class="waiting-edit"
      rows={1}
      aria-label={`Message to ${addresseeName(to)}. Press Enter to save or Escape to cancel.`}
      value={written}
      onInput={(event) => {
        setWritten(event.currentTarget.value);
        unsaved.current = event.currentTarget.value;
      }}
      onKeyDown={onKeyDown}
    />
  );
}
