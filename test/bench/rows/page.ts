import type { CDPSession, Page } from "playwright-core";
import type { ToPage } from "../../../client/common/page-messages.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { type ChatPageDriver, PageBrowser } from "../../page/chat-page.ts";
import { TeamScript } from "../../page/team-script.ts";
import { median, ms, percentile, slashed, times } from "../statistics.ts";
import type { Bench, HowOften, Row } from "./row.ts";

const SPEAKERS = 8;
const TOKENS_PER_SECOND = 200;
/** The extension sends the page what has happened once for each frame of 60 Hz. */
const FRAME_MS = 1000 / 60;
const STREAM_SECONDS = 20;
const PAINTS = 20;
const KEYS = 60;
const WARM_UP = 10;
const THREADS = [5_000, 10_000] as const;

/** The chat page in a browser: how soon it paints, and what it costs while a team speaks and once its thread is long. */
export const page: Bench = {
  name: "page",
  title: "The chat page",
  async run(howOften) {
    const browser = await PageBrowser.open();
    try {
      return [
        await firstPaint(browser, howOften),
        ...(await streaming(browser, howOften)),
        await memory(browser, howOften),
      ];
    } finally {
      await browser.close();
    }
  },
};

/** Until the page shows a team, over a page without a script. */
async function firstPaint(browser: PageBrowser, howOften: HowOften): Promise<Row> {
  const paints: number[] = [];
  const floors: number[] = [];
  const script = new TeamScript().task("Review the change.").say("author", "It is a small one.");
  const prepare = async (page: Page): Promise<void> => {
    await openAtOnce([{ type: "host", state: "ready" }, script.opened(true)], page);
  };
  for (let round = 0; round < howOften(PAINTS); round++) {
    const chat = await browser.page({ prepare });
    paints.push(await paintOf(chat.page));
    await chat.page.route("**/empty", (route) =>
      route.fulfill({ contentType: "text/html", body: "<!DOCTYPE html><title>Empty</title><p>Empty</p>" }),
    );
    await chat.page.goto(new URL("/empty", chat.page.url()).href);
    floors.push(await paintOf(chat.page));
    await chat.page.close();
  }
  const [own, floor] = [median(paints), median(floors)];
  return { figure: "first paint", aim: "", measured: `${ms(own)}; ${ms(floor)} for an empty page` };
}

/** Opens a team as soon as the page can take messages, as the extension does. */
const openAtOnce = (messages: readonly ToPage[], page: Page): Promise<unknown> =>
  page.addInitScript((all) => {
    const { posted } = window.editorStub;
    const push = posted.push.bind(posted);
    posted.push = (...sent) => {
      if (sent.some(({ type }) => type === "ready")) for (const message of all) window.postMessage(message, "*");
      return push(...sent);
    };
  }, messages as ToPage[]);

/** Milliseconds from the start of the navigation until the page shows its first content. */
const paintOf = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    for (;;) {
      const [paint] = performance.getEntriesByName("first-contentful-paint");
      if (paint !== undefined) return paint.startTime;
      await new Promise(requestAnimationFrame);
    }
  });

/** What a frame costs while several speak at once, and how long a typed letter waits to be painted. */
async function streaming(browser: PageBrowser, howOften: HowOften): Promise<Row[]> {
  const script = new TeamScript("Panel", { participants: names.map((name) => ({ name })) }).task("Discuss it.");
  script.durable({ type: "speaker/selected", participants: [...names] });
  const ids = names.map((name) => {
    script.durable({ type: "reasoning/start", id: `turn-${name}`, from: name, input: "" });
    return script.stream(name);
  });
  const chat = await browser.page({ width: 430, height: 800 });
  await chat.open(script);
  script.take();
  await typed(chat, WARM_UP);
  const atRest = await typed(chat, howOften(KEYS));
  const seconds = howOften(STREAM_SECONDS);
  const batches = framesOf(script, ids, seconds);
  const session = await chat.page.context().newCDPSession(chat.page);
  await session.send("Performance.enable");
  const before = await metric(session, "ScriptDuration");
  const played = play(
    chat,
    batches.map((events): ToPage => ({ type: "events", teamId: script.teamId, events })),
  );
  const meanwhile = await typed(chat, howOften(KEYS));
  const frames = await played;
  const scriptMs = ((await metric(session, "ScriptDuration")) - before) * 1000;
  await chat.page.close();
  const load = `while ${SPEAKERS} participants speak at ${TOKENS_PER_SECOND} tokens/s each`;
  return [
    {
      figure: `script time for each frame, ${load}`,
      aim: `${ms(FRAME_MS / 2)}`,
      measured: `${ms(scriptMs / frames)}, ${Math.round(frames / seconds)} frames/s`,
    },
    {
      figure: `from a key to its letter on the screen, ${load}`,
      aim: "",
      measured: `p50 ${times(median(meanwhile) / median(atRest))}, ${ms(median(meanwhile))} over ${ms(median(atRest))} at rest; p99 ${ms(percentile(meanwhile, 99))}`,
    },
  ];
}

const names = Array.from({ length: SPEAKERS }, (_, at) => `speaker_${at + 1}`);

/** The events of each frame. */
function framesOf(script: TeamScript, ids: readonly string[], seconds: number): TeamEvent[][] {
  const frames: TeamEvent[][] = [];
  let tokens = 0;
  for (let frame = 1; frame <= (seconds * 1000) / FRAME_MS; frame++) {
    const due = Math.floor((frame * FRAME_MS * TOKENS_PER_SECOND) / 1000);
    for (; tokens < due; tokens++) {
      for (const id of ids) script.chunk(id, tokens % 40 === 39 ? ".\n\n" : ` word${tokens % 97}`);
    }
    frames.push(script.take());
  }
  return frames;
}

/** Posts a message for each frame's time. @returns how many frames the page has painted meanwhile. */
const play = (chat: ChatPageDriver, messages: readonly ToPage[]): Promise<number> =>
  chat.page.evaluate(
    ([all, interval]) =>
      new Promise<number>((resolve) => {
        let [sent, frames] = [0, 0];
        const started = performance.now();
        const count = (): void => {
          frames++;
          if (sent < all.length) requestAnimationFrame(count);
          else resolve(frames);
        };
        const timer = setInterval(() => {
          const due = Math.min(all.length, Math.floor((performance.now() - started) / interval));
          for (; sent < due; sent++) window.postMessage(all[sent], "*");
          if (sent === all.length) clearInterval(timer);
        }, interval / 2);
        requestAnimationFrame(count);
      }),
    [messages as ToPage[], FRAME_MS] as const,
  );

/** Milliseconds from each key to the end of the frame that shows its letter. */
async function typed(chat: ChatPageDriver, keys: number): Promise<number[]> {
  await chat.page.locator(".composer-text").focus();
  await chat.page.evaluate(() => {
    const taken: number[] = [];
    Object.assign(window, { takenByKeys: taken });
    document.addEventListener("keydown", ({ timeStamp }) =>
      requestAnimationFrame(() => setTimeout(() => taken.push(performance.now() - timeStamp))),
    );
  });
  for (let key = 0; key < keys; key++) await chat.page.keyboard.press("a");
  return chat.page.evaluate(async (wanted) => {
    const { takenByKeys } = window as unknown as { takenByKeys: number[] };
    while (takenByKeys.length < wanted) await new Promise(requestAnimationFrame);
    return takenByKeys.splice(0);
  }, keys);
}

/** The page's heap with long threads, over that of a page that only keeps their events. */
async function memory(browser: PageBrowser, howOften: HowOften): Promise<Row> {
  const sizes = THREADS.map((messages) => howOften(messages));
  const heaps: number[] = [];
  const floors: number[] = [];
  for (const messages of sizes) {
    const script = new TeamScript();
    for (let turn = 0; turn < messages; turn++) {
      script.say(turn % 2 === 0 ? "author" : "reviewer", `Message ${turn}. ${"It has some words. ".repeat(10)}`);
    }
    const opened = script.opened(true);
    const chat = await browser.page();
    const empty = await heapOf(chat.page);
    await chat.open(script);
    heaps.push((await heapOf(chat.page)) - empty);
    await chat.page.close();
    const bare = await browser.page();
    await bare.page.goto("about:blank");
    const before = await heapOf(bare.page);
    await bare.page.evaluate((kept) => Object.assign(window, { kept: JSON.parse(kept) }), JSON.stringify(opened));
    floors.push((await heapOf(bare.page)) - before);
    await bare.page.close();
  }
  const of = sizes.map((size) => size.toLocaleString("en")).join(" / ");
  const megabytes = slashed(
    heaps.map((heap) => heap / 1e6),
    "MB",
  );
  const ratios = slashed(
    heaps.map((heap, at) => heap / (floors[at] ?? Number.NaN)),
    "times",
  );
  return {
    figure: `memory of a thread of ${of} messages, over its state and events alone`,
    aim: "",
    measured: `${ratios}, ${megabytes}`,
  };
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  await session.send("Performance.enable");
  const heap = await metric(session, "JSHeapUsedSize");
  await session.detach();
  return heap;
}

async function metric(session: CDPSession, name: string): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find((one) => one.name === name)?.value ?? Number.NaN;
}
