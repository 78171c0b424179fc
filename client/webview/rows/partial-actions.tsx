import { computed } from "@preact/signals";
import { composerMode } from "../state/composer-mode.ts";
import { post } from "../state/editor-bridge.ts";
import { canAct, canChair } from "../state/own-role.ts";
import { team } from "../state/page-state.ts";
import { Icon, type IconName } from "../ui/icon.tsx";

/** The modes of a team that does not run, and that a message would start. */
const RESTING: ReadonlySet<string> = new Set(["continue", "task", "observing"]);

/** The ids of the partial messages that can be changed, and of the last message; as JSON, so that chunks change nothing. */
const editable = computed(() => {
  const now = team.value;
  if (now === null || !RESTING.has(composerMode.value)) return "[[]]";
  const ids = now.thread.flatMap(({ id, partial }) => (partial === true ? [id] : []));
  return JSON.stringify([ids, now.thread.at(-1)?.id]);
});

/** What the user can do with a partial message while the team is not running. */
export function PartialActions({
  item: { key, source },
}: {
  readonly item: { readonly key: string; readonly source: string };
}) {
  const [ids, last] = JSON.parse(editable.value) as readonly [readonly string[], string | undefined];
  // The key of a message from a loaded state ends with its id.
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
        canAct.value &&
        button("play", "Continue", "Continue the run from here", () => post({ type: "run", text: "" }))}
      {canChair.value &&
        button("edit", "Edit", "Edit the partial message", () => post({ type: "editPartial", messageId }))}
      {canChair.value &&
        button("close", "Drop", "Remove the partial message from the thread", () =>
          post({ type: "dropPartial", messageId }),
        )}
      {messageId === last &&
        button("repo-forked", "Fork here", "Create another team from here; this team stays unchanged", () =>
          post({ type: "fork" }),
        )}
    </span>
  );
}
