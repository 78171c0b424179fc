/** The codicons that the page uses: `icons.css` has a rule for each. */
export type IconName =
  | "account"
  | "arrow-down"
  | "arrow-right"
  | "arrow-up"
  | "bell-dot"
  | "check"
  | "checklist"
  | "chevron-down"
  | "chevron-right"
  | "circle-outline"
  | "circle-slash"
  | "close"
  | "copy"
  | "debug-pause"
  | "debug-stop"
  | "edit"
  | "error"
  | "file-media"
  | "folder-opened"
  | "history"
  | "info"
  | "lightbulb"
  | "loading"
  | "lock"
  | "organization"
  | "pass"
  | "pass-filled"
  | "person"
  | "play"
  | "question"
  | "refresh"
  | "repo-forked"
  | "shield"
  | "stop-circle"
  | "tools"
  | "warning"
  | "watch";

/** An icon beside text with the same meaning, so screen readers skip it. */
export function Icon({ name, spin }: { readonly name: IconName; readonly spin?: boolean }) {
  return <span class={`codicon codicon-${name}${spin ? " spin" : ""}`} aria-hidden="true" />;
}
