import { render } from "preact";
import { ChatPage } from "./chat-page.tsx";
import { focusNext } from "./focus-next.ts";
import { listen } from "./state/editor-bridge.ts";
import { keepFocus } from "./state/focus-keeper.ts";
import { tellFocus } from "./state/page-focus.ts";
import { receive } from "./state/page-state.ts";

const root = document.getElementById("app") ?? document.body;
render(<ChatPage />, root);
listen(receive);
tellFocus();
keepFocus(root, focusNext);
