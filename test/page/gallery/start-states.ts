import type { TeamTab } from "../../../client/common/page-messages.ts";
import { NO_USAGE } from "../../../shared/state/team-state.ts";
import type { ChatPageDriver } from "../chat-page.ts";
import { TeamScript, USER } from "../team-script.ts";
import type { GalleryState } from "./gallery-state.ts";
import { startedReview } from "./started-review.ts";

const severalTeams: readonly TeamTab[] = [
  { teamId: "team-1", name: "Code review", progress: "running", unread: 0 },
  { teamId: "team-2", name: "Release notes of the second quarter", progress: "approval", unread: 3 },
  { teamId: "team-3", name: "Triage", progress: "finished", unread: 12 },
  { teamId: "file:///project/teams/review.team.yaml", name: "review.team.yaml", progress: "failed", unread: 0 },
];

/** No team, or a team with what is wrong around it. */
export const startStates: readonly GalleryState[] = [
  {
    name: "welcome",
    show: (chat) =>
      chat.post({
        type: "welcome",
        ownTeamFiles: [{ uri: "file:///u/assistant.team.yaml", label: "assistant.team.yaml" }],
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
  {
    name: "welcome-no-folder",
    show: (chat) =>
      chat.post({ type: "welcome", ownTeamFiles: [], trusted: true, workspace: false, teamFiles: [], stored: [] }),
  },
  { name: "empty", show: (chat) => chat.open(new TeamScript()) },
  {
    name: "error",
    show: async (chat) => {
      const script = new TeamScript().task("Find the fault in the cart.").durable(
        {
          type: "error",
          message: 'The model endpoint api.openai.com refused the key "openai"; set another one.',
          data: { code: "ModelError", status: 401, retryable: false, fix: "apiKey", secret: "openai" },
        },
        {
          type: "run/ended",
          stopReason: null,
          status: { code: "error", message: "refused" },
          usage: { prompt: 0, completion: 0, total: 0 },
        },
      );
      await chat.open(script, true);
      await chat.post(
        { type: "host", state: "down" },
        {
          type: "notice",
          message: "review.team.yaml has changed since this team was opened.",
          actions: [{ label: "Open Again", command: "openTeam" }],
        },
      );
    },
  },
  {
    name: "failed-team",
    show: async (chat) => {
      await chat.open(new TeamScript());
      const problem = (line: number, text: string) => ({ line, column: 1, text });
      await chat.post(
        {
          type: "failedTeam",
          uri: "file:///project/teams/review.team.yaml",
          name: "review.team.yaml",
          problems: [
            problem(3, 'kind: "roundRobbin" is not a kind of team; use roundRobin, selector, swarm, graph or magentic'),
            problem(7, 'participants[0].model: "fats" is not in models; it has fast and slow'),
            problem(9, "participants[1].tools[0]: there is no tool readFiles; did you mean readFile?"),
            problem(12, "termination: give maxMessages a number from 1"),
            problem(20, "models.fast.provider: missing"),
            problem(21, "models.slow.provider: missing"),
          ],
        },
        { type: "teams", teams: severalTeams },
      );
    },
  },
  {
    name: "several-teams",
    show: async (chat) => {
      const script = new TeamScript().task("Review the change to the parser.");
      await chat.open(script.say("author", "It splits at the first comma, also within quotes."));
      await chat.post({ type: "teams", teams: severalTeams });
      await chat.post({
        type: "notice",
        message:
          "The message was not sent: the team is running, and waits for the answer of the reviewer before it takes another task. Try again when the run has ended, or send it to one participant.",
        actions: [{ label: "Try Again", command: "retry" }],
      });
    },
  },
  ...(["failing", "unsaved"] as const).map((state) => ({
    name: `storage-${state}`,
    show: async (chat: ChatPageDriver) => {
      await chat.open(startedReview());
      const message = "~/.config/Code/gavel.db cannot grow because the disk is full; free some space and try again.";
      await chat.post({ type: "storage", status: { state, message } });
    },
  })),
  {
    name: "untrusted",
    show: (chat) => chat.open(startedReview(), false),
  },
  {
    name: "models",
    show: async (chat) => {
      const small = { provider: "openai", model: "gpt-5-mini" } as const;
      const script = new TeamScript("Code review", { models: { default: small, deep: { ...small, model: "gpt-5" } } });
      script.task("Find the fault.");
      script.say("author", "I will look at the cart first.");
      script.durable(
        { type: "run/ended", stopReason: "USER_INTERRUPT", status: { code: "interrupted" }, usage: NO_USAGE },
        { type: "model/chosen", participant: "reviewer", model: "deep", by: USER },
        { type: "model/chosen", model: { provider: "vscode", model: "claude-sonnet-4.5-with-thinking" }, by: USER },
      );
      await chat.open(script);
    },
  },
];
