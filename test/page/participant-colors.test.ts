import assert from "node:assert/strict";
import { test } from "node:test";
import { pageBrowser } from "./chat-page.ts";
import { TeamScript } from "./team-script.ts";
import { themeNames } from "./themes.ts";

const browser = pageBrowser();

/** More participants than there are colours. */
const participants = Array.from({ length: 9 }, (_, index) => ({ name: `participant_${index}` }));

for (const theme of themeNames) {
  test(`the colours of participants can be seen, and the text on them read, in the theme ${theme}`, async () => {
    const chat = await browser.page({ theme, width: 900, height: 1400 });
    const script = new TeamScript("Review", { participants }).task("Look at it.");
    for (const { name } of participants) script.say(name, "I looked.");
    script.durable({ type: "speaker/selected", participants: participants.slice(0, 4).map(({ name }) => name) });
    for (const { name } of participants.slice(0, 4)) {
      script.durable({ type: "reasoning/start", id: `turn-${name}`, from: name, input: "" });
    }
    await chat.open(script);
    assert.equal(await chat.page.locator(".participant.is-active").count(), 4);
    const measured = await chat.page.evaluate(measureContrast);
    const kinds = new Set(measured.map(({ what }) => what));
    assert.deepEqual([...kinds].sort(), ["activity", "avatar", "initials", "name of a speaker"]);
    assert.deepEqual(
      measured.filter(({ what, ratio }) => ratio < (what === "avatar" ? 3 : 4.5)),
      [],
    );
  });
}

interface Measured {
  readonly what: "avatar" | "initials" | "activity" | "name of a speaker";
  readonly text: string;
  readonly ratio: number;
}

/** The contrast of participants' colours as they are painted, in the side bar and in an editor. Runs in the page. */
function measureContrast(): Measured[] {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (canvas === null) throw new Error("the browser has no canvas");
  const style = getComputedStyle(document.documentElement);
  const pages = ["--vscode-sideBar-background", "--vscode-editor-background"].map((name) =>
    style.getPropertyValue(name),
  );

  /** The relative luminance of colours painted over each other, as WCAG defines it. */
  const luminance = (layers: readonly string[]): number => {
    for (const layer of layers) {
      canvas.fillStyle = layer;
      canvas.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => {
      const part = byte / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (below: readonly string[], color: string): number => {
    const [one, other] = [luminance(below), luminance([...below, color])];
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  };
  /** The backgrounds below an element. */
  const backgrounds = (element: Element | null): string[] =>
    element === null || element === document.documentElement
      ? []
      : [...backgrounds(element.parentElement), getComputedStyle(element).backgroundColor];
  const all = (selector: string, measure: (element: Element, page: string) => Omit<Measured, "text">): Measured[] =>
    [...document.querySelectorAll(selector)].flatMap((element) =>
      pages.map((page) => ({ ...measure(element, page), text: `${element.textContent} on ${page}` })),
    );
  const textOf = (what: Measured["what"]) => (element: Element, page: string) => ({
    what,
    ratio: contrast([page, ...backgrounds(element)], getComputedStyle(element).color),
  });
  return [
    ...all(".avatar", (element, page) => ({
      what: "avatar",
      ratio: contrast([page, ...backgrounds(element.parentElement)], getComputedStyle(element).borderTopColor),
    })),
    ...all(".avatar", textOf("initials")),
    ...all(".participant-activity", textOf("activity")),
    ...all(".speaker-name", textOf("name of a speaker")),
  ];
}
