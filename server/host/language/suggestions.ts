/** What helps to write a team file: a bundle of its own, which the first completion or hover loads. */
export { completionsAt } from "./completion.ts";
export { hoverAt } from "./hover.ts";
