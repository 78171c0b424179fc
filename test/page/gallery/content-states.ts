import { TeamScript, USER } from "../team-script.ts";
import type { GalleryState } from "./gallery-state.ts";

/** A picture of a cart, as a data URI. */
const PICTURE = `data:image/svg+xml;base64,${Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="360" height="180"><rect width="360" height="180" fill="#f4f1ea"/><rect x="24" y="24" width="312" height="40" rx="6" fill="#d9d2c3"/><rect x="24" y="76" width="220" height="18" rx="4" fill="#b9b09c"/><rect x="206" y="110" width="130" height="30" rx="6" fill="#2f6f4f"/><text x="24" y="166" font-family="sans-serif" font-size="18" fill="#222">Total 162.00</text></svg>',
).toString("base64")}`;

/** Messages that are more than text. */
export const contentStates: readonly GalleryState[] = [
  {
    name: "content",
    show: async (chat) => {
      const script = new TeamScript("Triage", { kind: "magentic" });
      script.task("What is wrong in this picture of the cart?");
      script.message("orchestrator", {
        type: "TextMessage",
        content: "The plan: the tester looks at the picture, the reviewer judges how bad it is.",
      });
      script.message("tester", {
        type: "MultiModalMessage",
        content: [
          { type: "text", text: "The total is **under** the button:" },
          { type: "image", uri: PICTURE },
          { type: "image", uri: "https://elsewhere.example/cart.png", mimeType: "image/png" },
        ],
      });
      script.durable({ type: "handoff", from: "tester", to: "reviewer" });
      script.message("tester", {
        type: "HandoffMessage",
        content: "How bad is it?",
        metadata: {
          target: "reviewer",
          context: [
            { name: "readFile", input: { path: "src/cart.css" }, output: ".total { order: 2 }", isError: false },
          ],
        },
      });
      script.message("reviewer", {
        type: "StructuredMessage",
        content: {
          severity: "high",
          confidence: 0.92,
          blocksRelease: true,
          summary: "The total is read after the button, so a buyer confirms a sum that is not yet seen.",
          findings: [
            { file: "src/cart.css", line: 41, fix: "Put .total before .confirm in the grid." },
            { file: "src/cart.tsx", line: 12, fix: "Order the markup as it is seen." },
          ],
          seenIn: ["Firefox", "Safari"],
          duplicateOf: null,
        },
        usage: { prompt: 2210, completion: 184, total: 2394, cost: 0.0042 },
      });
      script.ended("Task complete");
      await chat.open(script);
      await chat.page.getByRole("button", { name: "With 1 tool result" }).press("Enter");
      await chat.page.locator(".value-tree").hover();
    },
  },
  {
    name: "images",
    show: async (chat) => {
      const script = new TeamScript("Triage", { kind: "magentic" });
      const image = { type: "image" as const, uri: PICTURE };
      script.message(USER, {
        type: "MultiModalMessage",
        content: [{ type: "text", text: "What is wrong here?" }, image],
      });
      script.message("orchestrator", {
        type: "TextMessage",
        content: "tester, look at the total and tell what is seen.",
      });
      const id = script.startMessage("tester");
      script.chunk(id, '{"severity": "high", "summary": "The total');
      await chat.open(script);
    },
  },
];
