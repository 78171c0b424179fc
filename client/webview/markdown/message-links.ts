import { announce } from "../state/announcements.ts";
import { post } from "../state/editor-bridge.ts";

/** How long a copy button shows its check mark, in milliseconds. */
const TICK_MS = 1500;

/** Handles clicks on links and copy buttons within messages. Preact did not render these, so the list listens for them. */
export function onMessageClick(event: MouseEvent): void {
  if (!(event.target instanceof Element)) return;
  const link = event.target.closest("[data-href]");
  if (link !== null) openLink(event, link);
  const button = event.target.closest(".code-copy");
  if (button !== null) copyCode(button);
}

export function onMessageKey(event: KeyboardEvent): void {
  if (event.key !== "Enter" || !(event.target instanceof Element)) return;
  if (event.target.matches("[data-href]")) openLink(event, event.target);
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
