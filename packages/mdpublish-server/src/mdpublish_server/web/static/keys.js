// The key that is shown once, with its Copy button.

import { copiedLink } from "./links.js";

copiedLink(document);
