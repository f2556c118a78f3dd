// Times in the reader's zone; the server writes them in UTC.

const PARTS = { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" };

for (const time of document.querySelectorAll("time")) {
  const [, seconds] = /\d:\d\d(:\d\d)? UTC$/.exec(time.textContent) ?? [];
  if (!time.textContent.endsWith(" UTC")) continue;
  time.title = time.textContent;
  time.textContent = new Date(time.dateTime).toLocaleString("en-GB", seconds ? { ...PARTS, second: "2-digit" } : PARTS).replace(" at ", ", ");
}
