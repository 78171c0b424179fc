import type { Editor } from "./harness/editor.ts";

/** Answers what New Team asks after the sort of team "Author and Reviewer" is chosen, up to its model. */
export async function nameAuthorAndReviewer({ quickInput, page }: Editor, names: string): Promise<void> {
  await quickInput.opened("New Team: Author and Reviewer");
  await quickInput.type(names);
  await quickInput.accept();
  await page.locator(".quick-input-widget").getByText("Read files").waitFor();
  await quickInput.accept();
  await quickInput.opened("Which model does the team use?");
}

/** Chooses the model that needs no key, and this workspace. */
export async function chooseWorkspaceAndPracticeModel({ quickInput, page }: Editor): Promise<void> {
  await quickInput.choose("Practice Model");
  await page.locator(".quick-input-widget").getByText("Your Teams").waitFor();
  await quickInput.choose("This Workspace");
}
