import { computed } from "@preact/signals";
import { listText } from "../../../shared/text/list-text.ts";
import { asksModels, modelNames } from "../../common/model-name.ts";
import { post } from "../state/editor-bridge.ts";
import { offeredModels, presetModel, team } from "../state/page-state.ts";
import { Icon } from "../ui/icon.tsx";

/** The names of the team's models, as one text, so that the button renders only when they change. */
const names = computed(() => {
  if (team.value === null) return "";
  return modelNames(team.value, { preset: presetModel.value, offered: offeredModels.value }).join("\n");
});

const isNeeded = computed(() => team.value === null || asksModels(team.value));

/** Shows the team's model, and opens the list of models for the team and its participants. */
export function ModelButton() {
  if (!isNeeded.value) return null;
  const models = names.value === "" ? [] : names.value.split("\n");
  const [first = "Select Model"] = models;
  // With what the button shows, for those who say it.
  const title =
    models.length === 0
      ? "Select Model for the Team"
      : `${models.length > 1 ? "Select Models" : "Select Model"}: now ${listText(models)}`;
  return (
    <button
      type="button"
      class="model-button"
      title={title}
      aria-label={title}
      onClick={() => post({ type: "selectModel" })}
    >
      <span class="model-name">{models.length > 1 ? "Models" : first}</span>
      <Icon name="chevron-down" />
    </button>
  );
}
