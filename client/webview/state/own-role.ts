import { computed } from "@preact/signals";
import { roleOf, nameOf as storedName } from "../../../shared/state/people.ts";
import { visibleText } from "../../../shared/text/visible-text.ts";
import { nameInSentence } from "../../common/participants/participants.ts";
import { waitsForOthers } from "../../common/people/approval-count.ts";
import { team, trusted, user } from "./page-state.ts";
import { roster } from "./roster.ts";

/** What the user may do in the team that is shown. */
const ownRole = computed(() => (team.value === null ? "chair" : roleOf(team.value, user.value)));

/** Whether the user observes the team: it can be read, and nothing can be done with it. */
export const isObserver = computed(() => ownRole.value === "observer");

/** Whether the user can do something with the team: the workspace is trusted, and their role allows it. */
export const canAct = computed(() => trusted.value && !isObserver.value);

/** Whether the user can do what the chair alone may. */
export const canChair = computed(() => trusted.value && ownRole.value === "chair");

/** Whether calls wait, and each of them for others than this user. */
export const isForOthers = computed(() => team.value !== null && waitsForOthers(team.value, user.value));

/** The name of a user of the team within a sentence: `you` for the user of the window. */
export const userInSentence = (id: string): string => nameInSentence(id, roster.value);

/** Why an observer cannot do anything, and what to do about it. */
export const observerText = computed(() => {
  const { chair = "" } = team.value ?? {};
  const name =
    roster.value.others?.get(chair) ?? visibleText(team.value === null ? "" : storedName(team.value, chair)).text;
  return `You observe this team and cannot change anything. Ask its chair, ${name}, to make you a member.`;
});
