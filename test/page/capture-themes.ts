import { readFileSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/root.ts";
import { GavelDriver } from "../editor/gavel-driver.ts";
import { withEditor } from "../editor/harness/launch-editor.ts";
import { until } from "../editor/harness/until.ts";
import { themeLabels, themeNames } from "./themes.ts";

// `node test/page/capture-themes.ts`, after `npm run package`, writes what the editor gives the page in each theme into
// test/page/themes/: the class of the body, and the variables that the page's style sheets use.

const folder = await mkdtemp(join(tmpdir(), "gavel-themes-"));
const used = await usedVariables();

try {
  await mkdir(join(folder, ".vscode"));
  await withEditor("capture-themes", { workspace: folder, separate: true }, async (editor) => {
    await editor.page.getByRole("tab", { name: "Gavel" }).click();
    const frame = await new GavelDriver(editor).chat();
    for (const name of themeNames) {
      await writeFile(
        join(editor.workspace, ".vscode", "settings.json"),
        JSON.stringify({ "workbench.colorTheme": themeLabels[name] }),
      );
      const read = () =>
        frame.evaluate((names) => {
          const style = document.documentElement.style;
          return {
            id: document.body.dataset["vscodeThemeId"] ?? "",
            classes: [...document.body.classList].filter((each) => each.startsWith("vscode-")),
            variables: Object.fromEntries(
              names.flatMap((each) => {
                const value = style.getPropertyValue(`--vscode-${each}`);
                return value === "" ? [] : [[each, value]];
              }),
            ),
          };
        }, used);
      const { classes, variables } = await until(`the theme ${themeLabels[name]} is shown`, async () => {
        const now = await read();
        return now.id === themeLabels[name] ? now : undefined;
      });
      const bodyClass = classes.filter((each) => each !== "vscode-reduce-motion").join(" ");
      writeFileSync(
        join(root, "test", "page", "themes", `${name}.json`),
        `${JSON.stringify({ bodyClass, variables }, undefined, 2)}\n`,
      );
    }
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** The theme variables that the page's style sheets use, without `--vscode-`. */
async function usedVariables(): Promise<readonly string[]> {
  const webview = join(root, "client", "webview");
  const files = (await readdir(webview, { recursive: true })).filter((name) => /\.(css|tsx?)$/.test(name));
  const names = files.flatMap((name) =>
    [...readFileSync(join(webview, name), "utf8").matchAll(/--vscode-([A-Za-z-]+)/g)].map(([, each = ""]) => each),
  );
  return [
    ...new Set([
      ...names,
      "editor-foreground",
      "scrollbarSlider-background",
      "textPreformat-foreground",
      "textPreformat-background",
      "textBlockQuote-background",
      "textLink-foreground",
    ]),
  ].sort();
}
