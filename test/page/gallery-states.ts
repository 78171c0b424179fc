import type { ChatPage } from "./chat-page.ts";
import { TeamScript, USER } from "./team-script.ts";

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

const streaming = `Agreed. I would write the test first, so that it fails for the right reason:

\`\`\`ts
test("the discount is taken once", () => {
  assert.equal(total([line(100), line(100)], 0.1), 180);
});
\`\`\`

With that in place the change to \`total()\` is one line, and`;

const kept = "The mend is to sum first and to discount once, after the loop. Before I change anything I would like to";

function begun(): TeamScript {
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

export interface GalleryState {
  readonly name: string;
  readonly show: (chat: ChatPage) => Promise<void>;
}

/** Every state of the page that a designer would want to see. */
export const galleryStates: readonly GalleryState[] = [
  {
    name: "welcome",
    show: (chat) =>
      chat.tell({
        type: "welcome",
        trusted: true,
        workspace: true,
        teamFiles: [
          { uri: "file:///w/review.team.yaml", label: "review.team.yaml" },
          { uri: "file:///w/teams/release.team.yaml", label: "teams/release.team.yaml" },
        ],
        stored: [
          {
            teamId: "t1",
            name: "Code review",
            updatedAt: new Date(Date.now() - 7_200_000).toISOString(),
            lastLine: "The discount is taken twice for a cart with two lines.",
          },
        ],
      }),
  },
  { name: "empty", show: (chat) => chat.open(new TeamScript()) },
  {
    name: "streaming",
    show: async (chat) => {
      const script = begun();
      await chat.open(script);
      const id = script.begin("author");
      script.chunk(id, streaming);
      await chat.live(script);
      await chat.composer.fill("@rev");
    },
  },
  {
    name: "thinking",
    show: async (chat) => {
      const script = begun().durable(
        { type: "handoff", from: "reviewer", to: "tester" },
        { type: "speaker/selected", participants: ["tester"] },
        { type: "reasoning/start", id: "turn-t", from: "tester", input: "" },
        {
          type: "model/retry",
          participant: "tester",
          attempt: 1,
          waitMs: 2000,
          reason: "rate limit reached",
          status: 429,
        },
      );
      await chat.open(script);
      await chat.composer.fill("please hurry");
      await chat.composer.press("Enter");
    },
  },
  {
    name: "interrupted",
    show: async (chat) => {
      const script = begun();
      const id = script.begin("author");
      script
        .chunk(id, kept)
        .interrupt(id, "author", kept)
        .directed("tester", "Is there a test for a cart with two lines?");
      const answer = script.begin("tester");
      script
        .end(answer, "tester", "No. The only test of `total()` has a single line.")
        .ended("Maximum number of messages 6 reached");
      script.state = { ...script.state, status: "paused", interrupted: true };
      await chat.open(script);
    },
  },
  {
    name: "pending",
    show: async (chat) => {
      const script = begun().durable(
        { type: "speaker/selected", participants: ["tester"] },
        {
          type: "tool/requested",
          participant: "tester",
          content: "I have written the test. To see it fail I have to run it.",
          calls: [
            {
              ref: "c9",
              name: "runCommand",
              input: { command: "npm test -- --test-name-pattern='discount is taken once'", cwd: "media/samples/cart" },
            },
          ],
        },
        {
          type: "tool/interrupted",
          ref: "c9",
          name: "runCommand",
          participant: "tester",
          input: { command: "npm test -- --test-name-pattern='discount is taken once'", cwd: "media/samples/cart" },
          approval: true,
        },
        {
          type: "run/ended",
          stopReason: "TOOL_INTERRUPT",
          status: { code: "interrupted", reason: "tool_interrupt" },
          usage: { prompt: 1, completion: 1, total: 2 },
        },
      );
      await chat.open(script);
    },
  },
  {
    name: "unfolded",
    show: async (chat) => {
      const script = begun();
      await chat.open(script);
      for (const name of ["readFile", "Thought"]) await chat.page.getByRole("button", { name }).first().click();
      await chat.page.locator(".row-tools").first().scrollIntoViewIfNeeded();
    },
  },
  {
    name: "error",
    show: async (chat) => {
      const script = new TeamScript().task("Find the fault in the cart.").durable(
        {
          type: "error",
          message: 'The model endpoint api.openai.com refused the key "openai"; set another one.',
          data: { code: "ModelError", status: 401, retryable: false, mend: "apiKey", secret: "openai" },
        },
        {
          type: "run/ended",
          stopReason: null,
          status: { code: "error", message: "refused" },
          usage: { prompt: 0, completion: 0, total: 0 },
        },
      );
      await chat.open(script, true);
      await chat.tell(
        { type: "host", state: "down" },
        {
          type: "notice",
          message: "review.team.yaml has changed since this team was opened.",
          mend: { label: "Open Again", command: "openTeam" },
        },
      );
    },
  },
  {
    name: "long",
    show: async (chat) => {
      const script = new TeamScript().task("Talk it over.");
      const names = ["author", "reviewer", "tester"] as const;
      for (let turn = 0; turn < 300; turn++) {
        script.say(
          names[turn % 3] ?? "author",
          `Point ${turn + 1}: the total is ${turn * 3}. ${"It holds for each line of the cart. ".repeat(turn % 5)}`,
        );
      }
      script.durable({
        type: "tool/executed",
        ref: "x",
        name: "readFile",
        participant: "tester",
        output: USER,
        isError: false,
      });
      await chat.open(script);
      await chat.page.locator(".list").evaluate((list) => list.scrollBy(0, -900));
      await chat.page.locator(".jump").waitFor();
    },
  },
  {
    name: "untrusted",
    show: (chat) => chat.open(begun(), false),
  },
];
