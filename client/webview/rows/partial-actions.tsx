import { computed } from "@preact/signals";
import { composerMode } from "../state/composer-mode.ts";
import { post } from "../state/editor-bridge.ts";
import { team } from "../state/page-state.ts";
import { Icon, type IconName } from "../ui/icon.tsx";

/** The ids of the messages that were cut short and can still be changed, and of the last message; a text, so that chunks redraw nothing. */
const cut = computed(() => {
  const now = team.value;
  if (now === null || (composerMode.value !== "continue" && composerMode.value !== "task")) return "[[]]";
  const ids = now.thread.flatMap(({ id, partial }) => (partial === true ? [id] : []));
  return JSON.stringify([ids, now.thread.at(-1)?.id]);
});

/** What can be done with a message that was cut short while the team is at rest. The key of one from a loaded state ends with its id. */
export function PartialActions({
  item: { key, source },
}: {
  readonly item: { readonly key: string; readonly source: string };
}) {
  const [ids, last] = JSON.parse(cut.value) as readonly [readonly string[], string | undefined];
  const messageId = ids.find((id) => key === id || key.endsWith(`-${id}`));
  if (messageId === undefined) return null;
  const button = (icon: IconName, label: string, title: string, onClick: () => void) => (
    <button type="button" class="link-button" title={title} aria-label={`${label} (${source})`} onClick={onClick}>
      <Icon name={icon} /> {label}
    </button>
  );
  return (
    <span class="partial-actions">
      {messageId === last &&
        button("play", "Continue", `${source} goes on from here`, () => post({ type: "run", text: "" }))}
      {button("edit", "Edit", "Write anew what was said so far", () => post({ type: "editPartial", messageId }))}
      {button("close", "Drop", "Take it out of the thread", () => post({ type: "dropPartial", messageId }))}
      {messageId === last &&
        button("repo-forked", "Fork here", "Another team from here on; this one stays as it is", () =>
          post({ type: "fork" }),
        )}
    </span>
  );
}
