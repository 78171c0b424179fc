import { fileCandidates, fileReference } from "../../common/files/file-reference.ts";
import { announce } from "../state/announcements.ts";
import { toggleWrapCode } from "../state/code-wrap.ts";
import { post } from "../state/editor-bridge.ts";

/** How long a copy button shows its check mark, in milliseconds. */
const TICK_MS = 1500;

/** The most files that are looked for in what is written above a block of code. */
const MOST_PATHS = 20;

/** What each button of a code block does. */
const actions: Readonly<Record<string, ((code: string, button: Element, language: string) => void) | undefined>> = {
  apply: (code, button) => post({ type: "applyCode", code, paths: pathsFor(button) }),
  copy: (code, button) => {
    post({ type: "copy", text: code });
    announce("Copied");
    button.classList.add("is-copied");
    setTimeout(() => button.classList.remove("is-copied"), TICK_MS);
  },
  insert: (code) => post({ type: "insertCode", code }),
  open: (code, _button, language) => post({ type: "openCode", code, language }),
  wrap: () => toggleWrapCode(),
};

/** The paths that a block of code may be for, the likeliest first: those of its opening line, then of the line before it. */
function pathsFor(button: Element): readonly string[] {
  const block = button.closest(".code-block");
  const info = block?.querySelector("code")?.getAttribute("data-info") ?? "";
  const above = (block?.previousElementSibling ?? block?.parentElement?.previousElementSibling)?.textContent ?? "";
  const lineBefore = above.trimEnd().split("\n").at(-1) ?? "";
  // `js:src/split.js`, `{js, file=src/split.js}`
  return [info.replace(/[:=]/g, " "), lineBefore].flatMap(pathsIn).slice(0, MOST_PATHS);
}

/** The paths in a line, the last one first: it is nearest to the code. */
function pathsIn(line: string): readonly string[] {
  const paths = fileCandidates(line).map(({ start, end }) => fileReference(line.slice(start, end))?.path ?? "");
  return paths.filter((path) => path !== "").reverse();
}

/** Does what a clicked button of a code block says. */
export function onCodeAction(target: Element): void {
  const button = target.closest("[data-action]");
  const code = button?.closest(".code-block")?.querySelector("code");
  if (button === null || code === null || code === undefined) return;
  actions[button.getAttribute("data-action") ?? ""]?.(
    code.textContent,
    button,
    code.getAttribute("data-language") ?? "",
  );
}

/** Moves the focus within the buttons of a code block, which Tab reaches as one. */
export function onToolbarKey(event: KeyboardEvent, target: Element): void {
  const toolbar = target.closest(".code-actions");
  const buttons = [...(toolbar?.querySelectorAll<HTMLElement>("[data-action]") ?? [])];
  const index = target instanceof HTMLElement ? buttons.indexOf(target) : -1;
  const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (index === -1 || to === undefined) return;
  event.preventDefault();
  const wanted = buttons[(to + buttons.length) % buttons.length];
  for (const button of buttons) button.tabIndex = button === wanted ? 0 : -1;
  wanted?.focus();
}
