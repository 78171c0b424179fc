import { nameOf } from "../../../shared/state/people.ts";
import { visibleText } from "../../../shared/text/visible-text.ts";
import { plainText } from "../../common/plain-text.ts";
import type { Command } from "../command.ts";
import { pickUser, userItem, usersOf } from "./pick-user.ts";

const TITLE = "Hand Over the Chair";

/** Gives the chair to another user. Who does not have it can take it while no client of the chair's user is connected. */
export const handOverChair: Command = async ({ actions, opener }) => {
  await opener.restore();
  const people = usersOf(actions);
  const { teamId, chair } = actions.team;
  const own = actions.user;
  const isChair = chair === own;
  const others = people.filter(({ id }) => (isChair ? id !== own : id === own));
  const name = plainText(visibleText(chair === undefined ? "" : nameOf(actions.team, chair)).text);
  const picked = await pickUser(
    others.map((person) => userItem(person, own)),
    isChair
      ? { title: TITLE, placeHolder: "Select who gets the chair; you become a member" }
      : { title: TITLE, placeHolder: `${name} has the chair. You can take it while ${name} is not connected` },
  );
  if (picked !== undefined) await actions.setRole(teamId, "chair", picked.id);
};
