// What comes is put before what is there. The server makes the rows, with every text in them escaped.

const live = document.getElementById("live");
const state = document.getElementById("live-state");
const most = 200;

if (live?.dataset.events) {
  const source = new EventSource(live.dataset.events);
  let answered = 0;
  source.addEventListener("message", (event) => {
    live.insertAdjacentHTML("afterbegin", event.data);
    const time = live.firstElementChild?.querySelector("time[datetime]");
    if (time) time.textContent = new Date(time.dateTime).toLocaleString();
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

// The chart is drawn anew at most every ten seconds.
const chart = document.getElementById("chart");
let drawn = Date.now();

function reload() {
  if (!chart || Date.now() - drawn < 10000) return;
  drawn = Date.now();
  chart.src = `${chart.getAttribute("src").split("?")[0]}?${drawn}`;
}
