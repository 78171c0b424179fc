import { readFile } from "node:fs/promises";
import * as z from "zod";
import { originOf } from "../arguments/origin.ts";
import type { CheckOptions } from "../arguments/parse.ts";
import { UsageError } from "../arguments/usage-error.ts";
import { fileUri } from "../run/open-thread.ts";
import { shownLine } from "../text/shown-text.ts";
import { type Style, styleFor } from "../text/style.ts";
import { withHost } from "../threads/with-host.ts";
import { AgentChecks } from "./agent-checks.ts";

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

/** `gavel check`: what is wrong with team files, as the editor shows it, and with their agents. Returns 1 if anything is. */
export async function checkFiles(options: CheckOptions): Promise<number> {
  const style = styleFor(process.stdout, { noColor: options.noColor, variables: process.env });
  const agents = new AgentChecks({ ...options, allowOrigins: options.allowOrigins.map(originOf) }, style);
  const texts = await Promise.all(options.files.map(async (file) => ({ file, text: await textOf(file) })));
  const problems = await withHost(
    options,
    async (host) => {
      let count = 0;
      for (const { file, text } of texts) {
        const uri = fileUri(file);
        await host.notify("textDocument/didOpen", {
          textDocument: { uri, languageId: file.endsWith(".json") ? "json" : "yaml", version: 1, text },
        });
        const report = Report.parse(await host.send("textDocument/diagnostic", { textDocument: { uri } }));
        for (const item of report.items) process.stdout.write(`${problemLine(file, item, style)}\n`);
        count += report.items.length;
        // The agents of a team that cannot run are not looked at.
        const isUsable = report.items.every(({ severity = 1 }) => severity !== 1);
        if (isUsable) count += await agents.check(host, file, uri);
      }
      return count;
    },
    agents.consent,
  );
  if (problems > 0) return 1;
  const { green } = style;
  const count = options.files.length;
  process.stdout.write(
    `${green("✓")} ${count === 1 ? "The team file has" : `${count} team files have`} no problems.\n`,
  );
  return 0;
}

function problemLine(
  file: string,
  { range, message, severity = 1 }: z.infer<typeof Report>["items"][number],
  { red, yellow }: Style,
): string {
  const place = `${shownLine(file)}:${range.start.line + 1}:${range.start.character + 1}`;
  return `${place}: ${severity === 1 ? red("error") : yellow("warning")}: ${shownLine(message)}`;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch {
    throw new UsageError(`The team file ${file} cannot be read; does it exist?`);
  }
}
