import { showsBeforeReset } from "../state/page-state.ts";

/** A button that shows what the thread had before it was reset. */
export function ShowBeforeReset() {
  return (
    <button
      type="button"
      class="link-button"
      title="The team does not see these messages"
      onClick={() => {
        showsBeforeReset.value = true;
      }}
    >
      Show Earlier Messages
    </button>
  );
}
