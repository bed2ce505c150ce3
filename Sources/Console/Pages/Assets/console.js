// What makes the pages more comfortable; every one of them works without it.

// Times in the reader's own zone, which they name; those that come later too.
const zoned = new Intl.DateTimeFormat(undefined, {
  year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit", second: "2-digit",
  timeZoneName: "short",
});

function localize(within) {
  for (const time of within.querySelectorAll("time[datetime]:not([data-zoned])")) {
    const date = new Date(time.dateTime);
    if (!isNaN(date)) time.textContent = zoned.format(date);
    time.dataset.zoned = "";
  }
}

localize(document);
document.addEventListener("added", (event) => localize(event.target));

// What was done is told once, not when the page is loaded again or come back to.
const address = new URL(location.href);
if (address.searchParams.has("done")) {
  address.searchParams.delete("done");
  history.replaceState(history.state, "", address);
}

// Where the navigation is one line that scrolls, the present page is in sight.
const showPresent = () => {
  for (const here of document.querySelectorAll("nav [aria-current=page]")) {
    const line = here.closest("ul");
    line.scrollLeft = here.offsetLeft - line.offsetLeft - (line.clientWidth - here.clientWidth) / 2;
  }
};
showPresent();
addEventListener("resize", showPresent);

// What is wrong, or was done, is where the keyboard is.
document.querySelector(".problems")?.focus();

// Copies the text of an input.
for (const button of document.querySelectorAll("button[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
    button.textContent = "Copied";
  });
}

// References such as {{Screen}} complete as you type.
const known = [...document.querySelectorAll("datalist#references option")].map((option) => option.value);

for (const input of document.querySelectorAll("input[data-references]")) complete(input);

function complete(input) {
  let list = null;
  let chosen = -1;

  input.removeAttribute("list");
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-expanded", "false");

  const close = () => {
    list?.remove();
    list = null;
    chosen = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    input.removeAttribute("aria-controls");
  };

  const choose = (text) => {
    const begin = input.value.lastIndexOf("{{", input.selectionStart - 1);
    const rest = input.value.slice(input.selectionStart).replace(/^\}\}/, "");
    input.value = input.value.slice(0, begin) + text + rest;
    input.selectionStart = input.selectionEnd = begin + text.length;
    close();
  };

  const mark = (index) => {
    chosen = (index + list.children.length) % list.children.length;
    [...list.children].forEach((item, number) => item.setAttribute("aria-selected", String(number === chosen)));
    list.children[chosen].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", list.children[chosen].id);
  };

  input.addEventListener("input", () => {
    close();
    const before = input.value.slice(0, input.selectionStart);
    const begin = before.lastIndexOf("{{");
    if (begin < 0 || before.indexOf("}}", begin) >= 0) return;
    const typed = before.slice(begin).toLowerCase();
    const found = known.filter((name) => name.toLowerCase().startsWith(typed)).slice(0, 50);
    if (found.length === 0) return;
    list = document.createElement("ul");
    list.className = "completions";
    list.id = `${input.id}-completions`;
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Variables");
    found.forEach((name, number) => {
      const item = document.createElement("li");
      item.id = `${list.id}-${number}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      item.textContent = name;
      item.addEventListener("mousedown", (event) => {
        event.preventDefault();
        choose(name);
      });
      list.append(item);
    });
    input.after(list);
    input.setAttribute("aria-expanded", "true");
    input.setAttribute("aria-controls", list.id);
  });

  input.addEventListener("keydown", (event) => {
    if (!list) return;
    if (event.key === "ArrowDown") mark(chosen + 1);
    else if (event.key === "ArrowUp") mark(chosen - 1);
    else if ((event.key === "Enter" || event.key === "Tab") && chosen >= 0) choose(list.children[chosen].textContent);
    else if (event.key === "Escape") close();
    else return;
    if (event.key !== "Tab") event.preventDefault();
  });

  input.addEventListener("blur", close);
}
