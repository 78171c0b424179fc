import { useState } from "preact/hooks";
import { Icon } from "../ui/icon.tsx";
import { focusRequests, problems } from "./draft.ts";

/** So many problems are shown at first. */
const SHOWN = 2;

/** Why the draft cannot be sent, and what was not attached: a line of its own for each, above the buttons. */
export function ComposerProblems() {
  const [expanded, setExpanded] = useState<readonly string[]>();
  const all = problems.value;
  // One more is as short as the button that would show it.
  const isCut = all.length > SHOWN + 1 && expanded !== all;
  const shown = isCut ? all.slice(0, SHOWN) : all;
  const expand = (): void => {
    setExpanded(all);
    focusRequests.value++;
  };
  return (
    <div id="composer-problems" class="composer-problems" role="status">
      {shown.map((text) => (
        <p key={text} class="composer-problem" title={text}>
          <Icon name="warning" /> <span>{text}</span>
        </p>
      ))}
      {isCut && (
        <button type="button" class="link-button more-problems" onClick={expand}>
          Show {all.length - SHOWN} More
        </button>
      )}
    </div>
  );
}
