import { readFile } from "node:fs/promises";
import * as z from "zod";
import type { CommonOptions } from "../arguments/parse.ts";
import { UsageError } from "../arguments/usage-error.ts";
import { fileUri } from "../run/open-thread.ts";
import { shownLine } from "../text/shown-text.ts";
import { styleFor } from "../text/style.ts";
import { withHost } from "../threads/with-host.ts";

/** The Language Server Protocol's report of diagnostics; lines and characters count from 0, 1 is an error. */
const Report = z.object({
  items: z.array(
    z.object({
      range: z.object({ start: z.object({ line: z.number(), character: z.number() }) }),
      message: z.string(),
      severity: z.number().optional(),
    }),
  ),
});

/** `gavel check`: what is wrong with team files, as the editor shows it. Returns 1 if anything is. */
export async function checkFiles(options: CommonOptions & { readonly files: readonly string[] }): Promise<number> {
  const { red, yellow, green } = styleFor(process.stdout, { noColor: options.noColor, variables: process.env });
  const texts = await Promise.all(options.files.map(async (file) => ({ file, text: await textOf(file) })));
  const lines = await withHost(options, async (host) => {
    const found: string[] = [];
    for (const { file, text } of texts) {
      const uri = fileUri(file);
      await host.notify("textDocument/didOpen", {
        textDocument: { uri, languageId: file.endsWith(".json") ? "json" : "yaml", version: 1, text },
      });
      const report = Report.parse(await host.send("textDocument/diagnostic", { textDocument: { uri } }));
      for (const { range, message, severity = 1 } of report.items) {
        const place = `${shownLine(file)}:${range.start.line + 1}:${range.start.character + 1}`;
        found.push(`${place}: ${severity === 1 ? red("error") : yellow("warning")}: ${shownLine(message)}`);
      }
    }
    return found;
  });
  if (lines.length > 0) {
    process.stdout.write(`${lines.join("\n")}\n`);
    return 1;
  }
  const count = options.files.length;
  process.stdout.write(
    `${green("✓")} ${count === 1 ? "The team file has" : `${count} team files have`} no problems.\n`,
  );
  return 0;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch {
    throw new UsageError(`The team file ${file} cannot be read; does it exist?`);
  }
}
