import { announce } from "../state/announcements.ts";
import { post } from "../state/editor-bridge.ts";

/** How long a copy button shows its tick. */
const TICK_MS = 1500;

/** Links and copy buttons within messages are not Preact's: their clicks and keys are heard where they bubble to. */
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
  // The editor's own handler for links must not take it as well.
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
