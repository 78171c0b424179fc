import type { Memento } from "vscode";
import * as z from "zod";

const KEY = "gavel.delivery";

const DeliveryChoice = z.object({
  delivery: z.enum(["now", "queue", "steer"]),
  visibility: z.enum(["all", "target"]),
});
type DeliveryChoice = z.infer<typeof DeliveryChoice>;

/** How the user last delivered a message to a running team, to preselect it the next time. */
export class RememberedDelivery {
  readonly #memento: Memento;

  constructor(memento: Memento) {
    this.#memento = memento;
  }

  get last(): DeliveryChoice {
    const stored = DeliveryChoice.safeParse(this.#memento.get<unknown>(KEY));
    return stored.success ? stored.data : { delivery: "now", visibility: "all" };
  }

  async remember(how: DeliveryChoice): Promise<void> {
    await this.#memento.update(KEY, how);
  }
}
