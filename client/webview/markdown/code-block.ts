interface CodeAction {
  readonly action: string;
  readonly icon: string;
  readonly title: string;
}

/** `code-actions.ts` has what each does. */
const actions: readonly CodeAction[] = [
  { action: "apply", icon: "diff", title: "Apply as Diff" },
  { action: "insert", icon: "insert", title: "Insert at Cursor" },
  { action: "open", icon: "new-file", title: "Open as File" },
  { action: "wrap", icon: "word-wrap", title: "Wrap Lines" },
  { action: "copy", icon: "copy", title: "Copy" },
];

/**
 * The HTML of a block of code as it is: colours come later (see `code-highlighter.ts`).
 * @param info what the opening line of the block says: the language, and maybe a file.
 * @param toHtml escapes text.
 */
export function codeBlock(code: string, language: string, info: string, toHtml: (text: string) => string): string {
  const text = code.replace(/\n$/, "");
  const attributes = [
    language === "" ? "" : ` data-language="${toHtml(language.toLowerCase())}"`,
    info === "" ? "" : ` data-info="${toHtml(info)}"`,
  ].join("");
  const name = toHtml(language || "text");
  return [
    `<div class="code-block"><div class="code-head"><span class="code-language" title="${name}">${name}</span>`,
    `<div class="code-actions" role="toolbar" aria-label="${name} code">`,
    ...actions.map(button),
    `</div></div><pre tabindex="0"><code${attributes}>${toHtml(text)}</code></pre></div>`,
  ].join("");
}

/** Tab reaches Copy, which is always visible, and arrow keys the others. */
function button({ action, icon, title }: CodeAction): string {
  const pressed = action === "wrap" ? ' aria-pressed="false"' : "";
  return [
    `<button type="button" class="icon-button" tabindex="${action === "copy" ? 0 : -1}" data-action="${action}" title="${title}"`,
    ` aria-label="${title}"${pressed}><span class="codicon codicon-${icon}" aria-hidden="true"></span></button>`,
  ].join("");
}
