import { TeamScript } from "./team-script.ts";

export const LONG_NAME = "the_participant_that_has_by_far_the_longest_name_of_all_in_this_team";
const participants = [
  ...Array.from({ length: 10 }, (_, index) => ({ name: `participant_${index}` })),
  { name: LONG_NAME },
  { name: "reviewer" },
];
const speakers = ["participant_1", "participant_2", "participant_8", LONG_NAME];

/** A team of 12 in which four participants speak at the same time. */
export function manySpeakers(): TeamScript {
  const script = new TeamScript("Review", { participants }).task("Look at it.");
  script.durable({ type: "speaker/selected", participants: speakers });
  for (const name of speakers) {
    script.durable({ type: "reasoning/start", id: `turn-${name}`, from: name, input: "" });
    script.chunk(script.stream(name), "I have read it.");
  }
  return script;
}
