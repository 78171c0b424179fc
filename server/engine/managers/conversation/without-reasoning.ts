/** What a model says once it has thought: some endpoints give the thoughts of a reasoning model within its text, at the start. */
export function withoutReasoning(answer: string): string {
  return answer.replace(/^\s*<think>[\s\S]*?<\/think>/, "").trim();
}
