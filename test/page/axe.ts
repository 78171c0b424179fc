import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Frame, Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

declare global {
  interface Window {
    readonly axe: { run(options: RunOptions): Promise<AxeResults> };
  }
}

/** What axe finds in a page: a line for each rule and element that breaks it. */
export async function axeFindings(frame: Page | Frame, rules?: readonly string[]): Promise<string[]> {
  if (await frame.evaluate(() => window.axe === undefined)) await frame.evaluate(source);
  return frame.evaluate(async (only) => {
    const { violations } = await window.axe.run({
      resultTypes: ["violations"],
      ...(only === undefined ? {} : { runOnly: { type: "rule", values: [...only] } }),
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary, html }) =>
        [id, target.join(" "), html.slice(0, 160), (failureSummary ?? "").split("\n").slice(1).join(" ").trim()].join(
          " | ",
        ),
      ),
    );
  }, rules);
}
