import { NO_USAGE } from "../../../shared/state/team-state.ts";
import { cardMessage, commandBody, untilShown } from "../call-cards.ts";
import { LONG_NAME } from "../many-speakers.ts";
import { TeamScript, USER } from "../team-script.ts";
import type { GalleryState } from "./gallery-state.ts";

/**
 * Six participants of a graph do something else each: one thinks, one writes, one calls tools, two of a nested team are
 * active, one waits for an approval, and one is idle.
 */
export function everyActivity(): TeamScript {
  const script = new TeamScript("Release check", {
    kind: "graph",
    participants: [
      { name: "planner", description: "Plans the release" },
      { name: "author", description: "Writes the notes" },
      { name: "tester", description: "Runs the checks" },
      {
        name: "research",
        kind: "team",
        team: { name: "Research", kind: "graph", participants: [{ name: "alice" }, { name: "bob" }] },
      },
      { name: "deployer", description: "Deploys to staging" },
      { name: "reviewer", description: "Reads it all" },
    ],
  }).task("Is 2.4 ready?");
  const active = ["planner", "author", "tester", "research", "deployer"];
  script.durable({ type: "speaker/selected", participants: active });
  for (const from of active) script.durable({ type: "reasoning/start", id: `turn-${from}`, from, input: "" });
  script.chunk(script.stream("author"), "The change log names every **breaking** change.");
  script.durable({
    type: "tool/requested",
    participant: "tester",
    calls: [
      { ref: "t1", name: "runCommand", input: { command: "npm test" } },
      { ref: "t2", name: "readFile", input: { path: "CHANGELOG.md" } },
    ],
  });
  script.durable({ type: "tool/started", ref: "t1" }, { type: "tool/started", ref: "t2" });
  script.inNestedTeam(["research"], (inner) => {
    inner.durable({ type: "run/started", task: "", cause: "run" });
    for (const from of ["alice", "bob"])
      inner.durable({ type: "reasoning/start", id: `turn-${from}`, from, input: "" });
    inner.chunk(inner.stream("bob"), "Two advisories are open.");
  });
  const deploy = { ref: "d1", name: "runCommand", input: { command: "npm run deploy -- --env staging" } };
  return script.durable(
    { type: "tool/requested", participant: "deployer", calls: [deploy] },
    { type: "tool/interrupted", ...deploy, participant: "deployer", approval: true },
  );
}

/** When the endpoint of {@link waitingForLimit} takes requests again. */
export const LIMIT_END = "2026-01-01T12:01:05.000Z";

/** Of three participants at the same time, two wait for the rate limit of their endpoint. */
export function waitingForLimit(): TeamScript {
  const names = ["planner", "author", "tester"];
  const participants = names.map((name) => ({ name }));
  const script = new TeamScript("Release check", { kind: "graph", participants }).task("Is 2.4 ready?");
  script.durable({ type: "speaker/selected", participants: names });
  for (const from of names) script.durable({ type: "reasoning/start", id: `turn-${from}`, from, input: "" });
  const endpoint = "api.example.com";
  return script.durable(
    { type: "model/waiting", participant: "planner", endpoint, until: LIMIT_END },
    { type: "model/waiting", participant: "author", endpoint },
  );
}

/** A participant whose context was summarized before has its model write the next summary. */
export function summarizingTeam(): TeamScript {
  const script = new TeamScript().task("Three poems about carts.").say("author", "The cart of the baker stands still.");
  const summary = { text: "The user wants three poems; one is written.", through: { messageId: "m1" } };
  script.durable(
    { type: "context/summarized", participant: "author", summary, tokens: { before: 26_000, after: 12_500 } },
    { type: "speaker/selected", participants: ["author"] },
    { type: "reasoning/start", id: "turn-s", from: "author", input: "" },
    { type: "context/summarizing", participant: "author" },
  );
  return script;
}

/** A long and a short command go on in the background, and a third has ended. */
export function commandsInBackground(): TeamScript {
  const script = new TeamScript().task("Keep the tests running.").say("author", "Both watchers run.");
  const long = "npm run dev -- --host 127.0.0.1 --port 8080 --open=false --config build/vite.config.ts";
  const started = (id: string, participant: string, command: string) =>
    ({ type: "command/started", id, ref: `call-${id}`, participant, command }) as const;
  script.durable(
    started("cmd_4", "author", long),
    started("cmd_9", LONG_NAME, "npm run watch"),
    started("cmd_12", "author", "npm run lint"),
    { type: "command/ended", id: "cmd_12", command: "npm run lint", end: { exit: { code: 1 } } },
  );
  return script.ended("Text 'RUN' mentioned");
}

/** One of two participants at the same time failed. */
export function failedTurn(): TeamScript {
  const script = new TeamScript("Release check", { kind: "graph" }).task("Is 2.4 ready?").say("author", "I think so.");
  script.durable({ type: "speaker/selected", participants: ["reviewer", "tester"] });
  for (const from of ["reviewer", "tester"]) {
    script.durable({ type: "reasoning/start", id: `turn-${from}`, from, input: "" });
  }
  for (const from of ["tester", "reviewer"]) {
    script.durable({ type: "reasoning/conclusion", from, correlation_id: [`turn-${from}`], interrupted: true });
  }
  return script.durable(
    {
      type: "error",
      message: "The model endpoint api.openai.com answers 503: overloaded; try again.",
      participant: "tester",
      data: { code: "ModelError", status: 503, retryable: true },
    },
    { type: "run/ended", stopReason: null, status: { code: "error", message: "overloaded" }, usage: NO_USAGE },
  );
}

/** States of whole threads and of their participants. */
export const activityStates: readonly GalleryState[] = [
  {
    name: "activities",
    show: async (chat) => {
      const script = everyActivity();
      await chat.open(script);
      await chat.post(cardMessage(script, "d1", commandBody("npm run deploy -- --env staging")));
      await untilShown(chat, "d1");
    },
  },
  { name: "rate-limited", show: (chat) => chat.open(waitingForLimit()) },
  { name: "summarizing", show: (chat) => chat.open(summarizingTeam()) },
  {
    name: "fallback",
    show: (chat) => {
      const script = new TeamScript().task("Find the fault in the cart.");
      script.durable({
        type: "model/fallback",
        participant: "reviewer",
        from: { provider: "openai", name: "gpt-5" },
        to: { provider: "anthropic", name: "claude-sonnet-5-5" },
        reason: "api.openai.com answered 503",
      });
      return chat.open(script.say("reviewer", "The discount is taken before the items are summed."));
    },
  },
  { name: "background-commands", show: (chat) => chat.open(commandsInBackground()) },
  { name: "failed-turn", show: (chat) => chat.open(failedTurn()) },
  {
    name: "finished",
    show: (chat) => {
      const script = new TeamScript().task("Find the fault in the cart.");
      script.say("reviewer", "The discount is taken before the items are summed. I have corrected `total()`.");
      script.say("tester", "The test with two lines passes now: 180.00 as expected. APPROVED");
      return chat.open(script.ended("Text 'APPROVED' mentioned"));
    },
  },
  {
    name: "attachments",
    show: async (chat) => {
      const script = new TeamScript().message(USER, {
        type: "MultiModalMessage",
        content: [
          { type: "text", text: "What is wrong in these?" },
          {
            type: "text",
            text: "export {}",
            resource: { kind: "file", name: "src/cart.ts", uri: "file:///w/src/cart.ts" },
          },
          {
            type: "text",
            text: "error",
            resource: { kind: "problems", name: "Problems" },
          },
        ],
      });
      await chat.open(script.say("author", "The discount is taken twice."));
      const file = (name: string, tokens: number) => ({
        key: name,
        kind: "file" as const,
        name,
        uri: `file:///w/${name}`,
        tokens,
      });
      await chat.composer.fill("And in these?");
      await chat.post({
        type: "attached",
        teamId: "team-1",
        attachments: [
          file("src/cart.ts", 840),
          file("src/pricing/rules/discounts-for-customers-of-the-second-kind.ts", 12_400),
          { ...file("src/checkout.ts", 130), key: "lines", lines: { start: 12, end: 40 } },
          { key: "terminal", kind: "terminal", name: "npm test", uri: "1", tokens: 320 },
          { ...file("shot.png", 1600), kind: "image", size: { width: 2048, height: 1152 } },
        ],
        problems: [
          '"build/cart.wasm" is neither a text file nor an image.',
          '"docs" and "build" are folders. Attach files, or name them in the message: participants can list them.',
        ],
      });
    },
  },
  {
    name: "server-offers",
    show: async (chat) => {
      await chat.open(new TeamScript());
      await chat.post({
        type: "offers",
        servers: [
          {
            server: "one",
            name: "Issue Tracker",
            state: "running",
            prompts: [
              { name: "triage", title: "Triage an issue", arguments: [] },
              { name: "weekly-report-of-all-projects", description: "$(trash) Sums up the week", arguments: [] },
            ],
            resources: [],
            templates: [],
          },
        ],
      });
      await chat.post({
        type: "attached",
        teamId: "team-1",
        attachments: [
          { key: "r", kind: "resource", name: "open issues", uri: "issues://open", server: "one", tokens: 840 },
        ],
      });
      await chat.composer.pressSequentially("/mcp");
      await chat.page.getByRole("option").nth(2).waitFor();
    },
  },
  {
    name: "reset",
    show: (chat) =>
      chat.open(
        new TeamScript().task("Find the fault.").say("author", "Here.").ended("Done").durable({ type: "team/reset" }),
      ),
  },
  {
    name: "long-names",
    show: async (chat) => {
      const tool = "search_the_whole_repository_and_its_submodules_for_a_symbol_by_name";
      const script = new TeamScript("The release check of the second quarter with everyone in it", {
        kind: "graph",
        participants: [{ name: LONG_NAME }, { name: `${LONG_NAME}_2` }, { name: "tester" }],
      }).task("Is 2.4 ready?");
      script.say(LONG_NAME, "I will look.");
      script.durable({ type: "speaker/selected", participants: [LONG_NAME, `${LONG_NAME}_2`] });
      for (const from of [LONG_NAME, `${LONG_NAME}_2`]) {
        script.durable({ type: "reasoning/start", id: `turn-${from}`, from, input: "" });
      }
      script.running(LONG_NAME, "l1", tool, { symbol: "total" });
      script.running(`${LONG_NAME}_2`, "l2", "runCommand", { command: `npm test -- ${"--filter=cart ".repeat(9)}` });
      await chat.open(script);
    },
  },
];
