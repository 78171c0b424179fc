import { announce } from "../state/announcements.ts";
import { post } from "../state/editor-bridge.ts";

/** How long a copy button shows its check mark, in milliseconds. */
const TICK_MS = 1500;

/** Handles clicks on links, files and copy buttons in messages. Preact did not render these: the list listens for them. */
export function onMessageClick(event: MouseEvent): void {
  if (!(event.target instanceof Element)) return;
  const link = event.target.closest("[data-href]");
  if (link !== null) openLink(event, link);
  const file = event.target.closest("[data-file]");
  if (file !== null) openFile(event, file, event.ctrlKey || event.metaKey ? { beside: true } : {});
  const button = event.target.closest(".code-copy");
  if (button !== null) copyCode(button);
}

export function onMessageKey(event: KeyboardEvent): void {
  const { key, target, ctrlKey, metaKey } = event;
  if (!(target instanceof Element)) return;
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

function copyCode(button: Element): void {
  const code = button.closest(".code-block")?.querySelector("code")?.textContent ?? "";
  post({ type: "copy", text: code });
  announce("Copied");
  button.classList.add("is-copied");
  setTimeout(() => button.classList.remove("is-copied"), TICK_MS);
}
