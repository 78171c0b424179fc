/** A model's answer without its reasoning, which some endpoints put at the start of the text. */
export function withoutReasoning(answer: string): string {
  return answer.replace(/^\s*<think>[\s\S]*?<\/think>/, "").trim();
}
