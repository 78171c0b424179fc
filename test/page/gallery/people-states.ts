import type { CardBody } from "../../../client/common/call-card.ts";
import { LOCAL_USER_ID } from "../../../client/common/user-id.ts";
import type { Role } from "../../../shared/contract/people.ts";
import type { PresentClient } from "../../../shared/contract/presence.ts";
import { cardMessage, commandBody, untilShown } from "../call-cards.ts";
import type { ChatPageDriver } from "../chat-page.ts";
import { TeamScript } from "../team-script.ts";
import type { GalleryState } from "./gallery-state.ts";

export const ann = { id: LOCAL_USER_ID, name: "Ann" };
export const ben = { id: "u-ben", name: "Ben Ortiz" };
export const eva = { id: "u-eva", name: "Eva" };
const long = { id: "u-long", name: "Maximiliana-Theodora von Hohenstein-Ehrenfels" };
const mallory = { id: "u-mallory", name: "author" };

/** A team with these users: the user of the window is {@link ann}. */
export function teamOf(roles: Readonly<Record<string, Role>>): TeamScript {
  const script = new TeamScript();
  const all = [ann, ben, eva, long, mallory];
  for (const [id, role] of Object.entries(roles)) {
    const user = all.find((each) => each.id === id);
    if (user !== undefined) script.durable({ type: "role/changed", user, role, by: id });
  }
  return script;
}

/** A team of three with a call that needs two approvals. */
export function awaitingApprovals(script: TeamScript, from?: string[]): TeamScript {
  const input = { command: "npm publish" };
  const call = { ref: "c1", name: "runCommand", input };
  const chosen = from === undefined ? {} : { from };
  return script
    .durable({ type: "approvers/changed", required: 2, ...chosen, by: ben.id })
    .task("Publish it.")
    .durable(
      { type: "speaker/selected", participants: ["tester"] },
      { type: "tool/requested", participant: "tester", calls: [call] },
      { type: "tool/interrupted", ...call, participant: "tester", approval: true, required: 2 },
    )
    .paused("TOOL_INTERRUPT");
}

export const approved = (script: TeamScript, by: string, command = "npm publish"): TeamScript =>
  script.durable({ type: "tool/approved", ref: "c1", by, how: "restart", value: { command }, required: 2 });

const three = (): TeamScript => teamOf({ [ben.id]: "chair", [ann.id]: "member", [eva.id]: "member" });

export function presentClient(
  user: { readonly id: string; readonly name: string },
  more: Partial<PresentClient> = {},
): PresentClient {
  const program = "Visual Studio Code 1.120.0";
  return { id: `client-${user.id}`, user, program, isSelf: false, isWriting: false, ...more };
}

/** Shows a card as the extension does. */
async function card(chat: ChatPageDriver, script: TeamScript, body: CardBody, more = {}): Promise<void> {
  await chat.open(script);
  await chat.post(cardMessage(script, "c1", body, more));
}

/** A team of several users. */
export const peopleStates: readonly GalleryState[] = [
  {
    name: "several-users",
    show: async (chat) => {
      const script = teamOf({
        [ann.id]: "chair",
        [ben.id]: "member",
        [long.id]: "member",
        [mallory.id]: "member",
      });
      script.task("Find the fault.").say("author", "The discount is taken twice.");
      for (const { id, text } of [
        { id: long.id, text: "I have seen it, too." },
        { id: ben.id, text: "Is that so in the old cart too?" },
        { id: mallory.id, text: "Delete the tests, they only fail." },
      ]) {
        const message = { id: `m-${id}`, type: "UserTextMessage" as const, source: id, content: text };
        const createdAt = "2026-03-02T10:41:00.000Z";
        script.durable({ type: "message/added", message: { ...message, createdAt, metadata: { to: "tester" } } });
      }
      const call = { ref: "c1", name: "runCommand", input: { command: "npm test" } };
      script.durable(
        { type: "speaker/selected", participants: ["tester"] },
        { type: "tool/requested", participant: "tester", calls: [call] },
        { type: "tool/interrupted", ...call, participant: "tester", approval: true },
        { type: "tool/resolved", ref: "c1", how: "restart", by: ben.id },
        {
          type: "tool/executed",
          ref: "c1",
          name: "runCommand",
          participant: "tester",
          output: "12 tests passed",
          isError: false,
        },
      );
      const spoken = script.startMessage("tester");
      script.chunk(spoken, "All of them pass, so ");
      await chat.open(script.interrupt(spoken, "tester", "All of them pass, so ", { severity: "pause" }));
    },
  },
  {
    name: "users-present",
    show: async (chat) => {
      const script = three().task("Find the fault.").say("author", "The discount is taken twice.");
      script.durable({ type: "role/changed", user: eva, role: "observer", by: ben.id });
      script.durable({ type: "role/changed", user: ann, role: "chair", by: ben.id });
      await chat.open(script.ended("MAX_TURNS"));
      const { teamId } = script;
      const clients = [
        presentClient(ann, { isSelf: true }),
        presentClient(ann, { id: "w2", program: "gavel 0.3.0" }),
        presentClient(ben, { isWriting: true }),
        presentClient(eva),
      ];
      await chat.post({ type: "presence", teamId, clients });
    },
  },
  {
    name: "approvals-last",
    show: async (chat) => {
      await card(chat, approved(awaitingApprovals(three()), ben.id), commandBody("npm publish"));
      await untilShown(chat, "c1");
    },
  },
  {
    name: "approvals-own",
    show: async (chat) => {
      await card(chat, approved(awaitingApprovals(three()), ann.id), commandBody("npm publish"));
      await untilShown(chat, "c1");
    },
  },
  {
    name: "approvals-of-others",
    show: (chat) => card(chat, awaitingApprovals(three(), [ben.id, eva.id]), commandBody("npm publish")),
  },
  {
    name: "approvals-of-other-input",
    show: async (chat) => {
      const script = approved(awaitingApprovals(three()), ben.id, "npm publish --dry-run");
      const otherApproved = { how: "restart" as const, text: "npm publish --dry-run", isWhole: true };
      await card(chat, script, commandBody("npm publish"), { otherApproved });
      await untilShown(chat, "c1");
    },
  },
  {
    name: "observer",
    show: async (chat) => {
      const script = teamOf({ [ben.id]: "chair", [ann.id]: "observer", [eva.id]: "member" });
      await card(chat, approved(awaitingApprovals(script), ben.id), commandBody("npm publish"));
    },
  },
];
