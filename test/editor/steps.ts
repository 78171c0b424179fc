import type { TestContext } from "node:test";
import type { Editor } from "./harness/editor.ts";

/**
 * A long test as steps, each a line in the report and a screenshot as test-results/screens/NAME-STEP.png. A step that fails
 * ends the test, as the next ones depend on it.
 */
export function stepsOf(context: TestContext, editor: Editor, name: string) {
  return async (title: string, body: () => Promise<void>): Promise<void> => {
    const failures: unknown[] = [];
    await context.test(title, async (step) => {
      try {
        await body();
        await editor.screenshot(`${name}-${title.replaceAll(/\W+/g, "-")}`);
      } catch (error) {
        failures.push(error);
        for (const shown of await editor.shownAbove().catch(() => [])) step.diagnostic(`VS Code shows the ${shown}`);
        throw error;
      }
    });
    if (failures.length > 0) throw failures[0];
  };
}
