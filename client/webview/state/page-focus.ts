import { post } from "./editor-bridge.ts";

/** Tells the extension from now on whether the page has the focus: it then does not have VS Code focus it once more. */
export function tellFocus(): void {
  addEventListener("focus", () => post({ type: "focus", has: true }));
  addEventListener("blur", () => post({ type: "focus", has: false }));
  if (document.hasFocus()) post({ type: "focus", has: true });
}
