import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sourceFiles } from "../source-files.ts";
import type { Violation } from "./areas.ts";

/** What VS Code's API shows with links or icons made of the text; only this folder calls it, with text that is escaped. */
const RESTRICTED =
  /\b(?:show(?:Information|Warning|Error)Message|showInputBox|createInputBox|withProgress|setStatusBarMessage)\b/g;
const FOLDER = "client/dialogs/";

/** The uses of VS Code's messages and input boxes that go past `client/dialogs/`, under whatever name. */
export function directMessages(projectRoot: string): Violation[] {
  return sourceFiles(projectRoot, "client")
    .filter((file) => !file.startsWith(FOLDER))
    .flatMap((file) => restrictedNames(file, readFileSync(join(projectRoot, file), "utf8")));
}

/** The uses in one file's text. */
export function restrictedNames(file: string, text: string): Violation[] {
  return text.split("\n").flatMap((line, index) =>
    [...line.matchAll(RESTRICTED)].map(([name]) => ({
      file,
      line: index + 1,
      imported: "",
      rule: `${name} makes links of what models and team files wrote; use notify, askModal or askText of ${FOLDER}.`,
    })),
  );
}
