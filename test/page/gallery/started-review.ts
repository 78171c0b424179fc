import { TeamScript } from "../team-script.ts";

const finding = `I read \`src/cart.ts\` and the fault is in **\`total()\`**: the discount is taken before the items are summed, so a cart with two lines is discounted twice.

\`\`\`ts
export function total(items: readonly Item[], discount = 0): number {
  // one discount for each line, and not for the whole
  return items.reduce((sum, item) => sum + item.price * item.count * (1 - discount), 0);
}
\`\`\`

Two things follow from it:

1. A single line hides it, which is why no test saw it.
2. Rounding makes it worse from three lines on. See [the notes](https://example.com/rounding).

| lines | expected | is |
|------:|---------:|---:|
| 1 | 90.00 | 90.00 |
| 2 | 180.00 | 162.00 |
`;

/** A review in which the reviewer has used tools, thought and spoken. */
export function startedReview(): TeamScript {
  const script = new TeamScript();
  script.task("Find the fault in the cart and prove it.\nDo not change anything before the tester agrees.");
  script.durable(
    { type: "speaker/selected", participants: ["reviewer"] },
    { type: "reasoning/start", id: "turn-r", from: "reviewer", input: "" },
    {
      type: "tool/requested",
      participant: "reviewer",
      content: "Let me look at the cart and at what uses it.",
      calls: [
        { ref: "c1", name: "readFile", input: { path: "src/cart.ts" } },
        { ref: "c2", name: "searchText", input: { query: "total(", glob: "src/**/*.ts" } },
        { ref: "c3", name: "readFile", input: { path: "src/pricing/discount-rules.ts" } },
      ],
    },
    { type: "tool/started", ref: "c1" },
    {
      type: "tool/executed",
      ref: "c1",
      name: "readFile",
      participant: "reviewer",
      output: "export function total(items) {\n  …\n}\n",
      isError: false,
    },
    {
      type: "tool/executed",
      ref: "c2",
      name: "searchText",
      participant: "reviewer",
      output: { matches: [{ file: "src/checkout.ts", line: 12 }] },
      isError: false,
    },
    {
      type: "tool/executed",
      ref: "c3",
      name: "readFile",
      participant: "reviewer",
      output: "There is no file src/pricing/discount-rules.ts.",
      isError: true,
    },
    {
      type: "reasoning/thought",
      from: "reviewer",
      correlation_id: ["turn-r"],
      message: "The discount is inside the reduce. With one line that makes no difference; with two it is taken twice.",
    },
  );
  return script.say("reviewer", finding);
}
