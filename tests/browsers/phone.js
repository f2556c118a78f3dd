// A phone, for `phone.py`: `read` prints the QR code of a picture, whose pixels are standard input; `code` prints what
// its app for one-time passwords shows at a time.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [modules, deed, ...given] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const deeds = {
  read: (width, height) => require("jsqr")(new Uint8ClampedArray(readFileSync(0)), Number(width), Number(height))?.data,
  code: (uri, milliseconds) => require("otpauth").URI.parse(uri).generate({ timestamp: Number(milliseconds) }),
};
process.stdout.write(deeds[deed](...given) ?? "");
