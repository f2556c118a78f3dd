// Times in the reader's zone; the server writes them in UTC.

for (const time of document.querySelectorAll("time")) {
  const [text, seconds] = /\d:\d\d(:\d\d)? UTC$/.exec(time.textContent) ?? [];
  if (!text) continue;
  time.title = time.textContent;
  const style = { dateStyle: "long", timeStyle: seconds ? "medium" : "short" };
  time.textContent = new Date(time.dateTime).toLocaleString("en-GB", style).replace(" at ", ", ");
}
