import { post } from "../state/editor-bridge.ts";
import { onCodeAction, onToolbarKey } from "./code-actions.ts";

/** Handles clicks on links, files and buttons of code in messages, which Preact did not render: the list listens. */
export function onMessageClick(event: MouseEvent): void {
  if (!(event.target instanceof Element)) return;
  const link = event.target.closest("[data-href]");
  if (link !== null) openLink(event, link);
  const file = event.target.closest("[data-file]");
  if (file !== null) openFile(event, file, event.ctrlKey || event.metaKey ? { beside: true } : {});
  onCodeAction(event.target);
}

export function onMessageKey(event: KeyboardEvent): void {
  const { key, target, ctrlKey, metaKey } = event;
  if (!(target instanceof Element)) return;
  onToolbarKey(event, target);
  if (key === "Enter" && target.matches("[data-href]")) openLink(event, target);
  if (!target.matches("[data-file]")) return;
  if (key === "Enter") openFile(event, target, ctrlKey || metaKey ? { beside: true } : {});
  if (key === " ") openFile(event, target, { keepFocus: true });
}

/** Opens a file as lists in VS Code do: with Ctrl or Command beside the active editor, with Space without the focus. */
function openFile(event: Event, link: Element, how: { readonly beside?: true; readonly keepFocus?: true }): void {
  event.preventDefault();
  // VS Code's own handler for links must not open it too.
  event.stopPropagation();
  post({ type: "openPath", path: link.getAttribute("data-file") ?? "", ...how });
}

function openLink(event: Event, link: Element): void {
  event.preventDefault();
  // VS Code's own handler for links must not open it too.
  event.stopPropagation();
  post({ type: "openLink", href: link.getAttribute("data-href") ?? "" });
}
