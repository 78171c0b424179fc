import { countText } from "../../../shared/text/count-text.ts";
import { post } from "../state/editor-bridge.ts";
import { canAct, isObserver } from "../state/own-role.ts";
import { fileChanges } from "../state/page-state.ts";

/** What the team has changed in files, with what can be done about all of it; nothing where nothing is changed. */
export function ChangesLine() {
  const changes = fileChanges.value;
  if (changes === null || changes.files + changes.commands === 0) return null;
  const { files, commands, added, removed } = changes;
  return (
    <section class="changes-line above-composer" aria-label="File changes">
      <span class="changes-text">
        {files > 0 && (
          <>
            <span>{countText(files, "file")} changed</span>
            <span class="changes-counts">
              <span class="changes-added" role="img" aria-label={`${countText(added, "line")} added`}>
                +{added.toLocaleString()}
              </span>{" "}
              <span class="changes-removed" role="img" aria-label={`${countText(removed, "line")} removed`}>
                −{removed.toLocaleString()}
              </span>
            </span>
          </>
        )}
        {commands > 0 && (
          <span class="changes-commands">
            {files > 0 ? `${commands} by commands` : `${countText(commands, "file")} changed by commands`}
          </span>
        )}
      </span>
      <span class="changes-buttons">
        {!isObserver.value && (
          <button type="button" class="link-button" onClick={() => post({ type: "changes", action: "keep" })}>
            Keep
          </button>
        )}
        {files > 0 && canAct.value && (
          <button type="button" class="link-button" onClick={() => post({ type: "changes", action: "undo" })}>
            Undo…
          </button>
        )}
        {files > 0 && (
          <button type="button" class="link-button" onClick={() => post({ type: "changes", action: "view" })}>
            View
          </button>
        )}
      </span>
    </section>
  );
}
