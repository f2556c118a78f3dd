// A key, an address or an invitation with its Copy button.

import { copiedLink } from "./links.js";

copiedLink(document);
