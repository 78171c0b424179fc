import { render } from "preact";
import { ChatPage } from "./chat-page.tsx";
import { listen } from "./state/editor-bridge.ts";
import { receive } from "./state/page-state.ts";

const root = document.getElementById("app") ?? document.body;
render(<ChatPage />, root);
listen(receive);
