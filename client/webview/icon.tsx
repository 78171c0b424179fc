/** The codicons that the page uses: `styles/icons.css` has a rule for each. */
export type IconName =
  | "arrow-down"
  | "arrow-right"
  | "arrow-up"
  | "check"
  | "chevron-right"
  | "circle-slash"
  | "close"
  | "comment-discussion"
  | "copy"
  | "debug-pause"
  | "debug-stop"
  | "error"
  | "file"
  | "folder-opened"
  | "go-to-file"
  | "history"
  | "info"
  | "key"
  | "lightbulb"
  | "loading"
  | "organization"
  | "output"
  | "pass-filled"
  | "person"
  | "play"
  | "question"
  | "refresh"
  | "settings-gear"
  | "shield"
  | "stop-circle"
  | "tools"
  | "warning"
  | "watch";

/** A sign beside words that say the same: a screen reader passes over it. */
export function Icon({ name, spin }: { readonly name: IconName; readonly spin?: boolean }) {
  return <span class={`codicon codicon-${name}${spin ? " spin" : ""}`} aria-hidden="true" />;
}
