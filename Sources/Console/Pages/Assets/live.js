// What comes is put before what is there. The server makes the rows, with every text in them escaped.

const live = document.getElementById("live");
const state = document.getElementById("live-state");
const most = 200;

if (live?.dataset.events) {
  const source = new EventSource(live.dataset.events);
  let answered = 0;
  source.addEventListener("message", (event) => {
    live.insertAdjacentHTML("afterbegin", event.data);
    live.dispatchEvent(new Event("added", { bubbles: true }));
    document.getElementById("live-empty")?.remove();
    while (live.children.length > most) live.lastElementChild.remove();
    reload();
  });
  source.addEventListener("open", () => {
    answered = Date.now();
    state.textContent = "Watching.";
  });
  source.addEventListener("error", () => {
    // The end of an answer is the beginning of the next request; only a longer silence is one.
    if (source.readyState === EventSource.CLOSED) state.textContent = "The server does not answer. Load the page again.";
    else if (Date.now() - answered > 40000) state.textContent = "The server does not answer; trying again.";
  });
  addEventListener("pagehide", () => source.close());
} else if (document.querySelector("[data-reload]")) {
  setTimeout(() => location.reload(), 3000);
}

// The chart is drawn anew at most every ten seconds, with the sentence that says the same.
const chart = document.getElementById("chart");
const chartAddress = chart?.getAttribute("src");
let drawn = Date.now();

async function reload() {
  if (!chart || Date.now() - drawn < 10000) return;
  drawn = Date.now();
  const answer = await fetch(chartAddress).catch(() => null);
  if (!answer?.ok) return;
  const picture = await answer.text();
  chart.src = `data:image/svg+xml,${encodeURIComponent(picture)}`;
  const text = new DOMParser().parseFromString(picture, "image/svg+xml").querySelector("desc");
  if (text) document.getElementById("chart-text").textContent = text.textContent;
}
