/** The text of a team file in a model's answer, complete or not: without the code fence that models like. */
export function draftText(answer: string): string {
  const fenced = /```(?:ya?ml)?[ \t]*\n([\s\S]*?)(?:\n?```|$)/.exec(answer)?.[1] ?? answer;
  const trimmed = fenced.trim();
  return trimmed === "" ? "" : `${trimmed}\n`;
}
