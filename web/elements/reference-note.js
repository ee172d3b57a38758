// The note at a number or a term: what it counts or means, under which conditions, who says so and since when. One at a time.
import { placeNote } from "../core/note-place.js";
import { siteUrl } from "../core/site.js";

/**
 * @typedef {{text: string, what: string, conditions: string[], source?: [string, string], seen?: string, status?: string,
 *   formula?: string, inputs?: [string, string][]}} Fact `source` is title and address, `inputs` are id and text
 * @typedef {{term: string, means: string, bite: [string, string | null], says: Record<string, string>}} Term `bite` is title and address, null
 *   for a planned one; `says` is what each vendor calls it
 */

/** So that a pointer on its way elsewhere opens nothing, and one on its way into the note does not close it. */
const BEFORE_OPEN = 150;
const BEFORE_CLOSE = 250;
const ID = "reference-note";
const VENDORS = { nvidia: "NVIDIA", amd: "AMD", webgpu: "WebGPU" };

/** @template Entry @param {"facts" | "terms"} name @returns {() => Promise<Record<string, Entry>>} */
const fetchedOnce = (name) => {
  /** @type {Promise<Record<string, Entry>> | undefined} */
  let entries;
  const fetchEntries = async () => {
    const response = await fetch(siteUrl(`${name}.json`), { cache: "no-cache" });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    return (await response.json())[name];
  };
  return () => {
    entries ??= fetchEntries().catch((error) => {
      // The next one tries again.
      entries = undefined;
      throw error;
    });
    return entries;
  };
};

const facts = /** @type {() => Promise<Record<string, Fact>>} */ (fetchedOnce("facts"));
const terms = /** @type {() => Promise<Record<string, Term>>} */ (fetchedOnce("terms"));

/** Closes the note that is open. @type {(() => void) | undefined} */
let close;
/** The link that a note just gave the focus back to: it does not open again by that. @type {Element | undefined} */
let leftByKey;
let latest = 0;

/** @param {HTMLAnchorElement} link */
export const showWhenHovered = (link) => {
  setTimeout(() => {
    if (!link.matches(":hover")) return;
    leftByKey = undefined;
    showNote(link).catch(() => {});
  }, BEFORE_OPEN);
};

/** Opens the note of a number or a term. False where there is none to be had. @param {HTMLAnchorElement} link */
export const showNote = async (link) => {
  if (link === leftByKey || link.hasAttribute("aria-describedby")) return true;
  if (!("popover" in link)) return false;
  const turn = ++latest;
  const id = new URL(link.href).hash.slice(1);
  const lines = await linesOf(link, id);
  if (!lines) return false;
  // A later one wins, and a page that has been left shows nothing.
  if (turn === latest && link.isConnected) open(link, lines);
  return true;
};

/** What the note says, or nothing where nobody knows the id. @param {HTMLAnchorElement} link @param {string} id */
const linesOf = async (link, id) => {
  const page = link.href.split("#")[0];
  if (link.classList.contains("term")) {
    const known = await terms();
    return Object.hasOwn(known, id) ? termLines(known[id], `${page}#${id}`) : undefined;
  }
  const known = await facts();
  return Object.hasOwn(known, id) ? factLines(known[id], page, id) : undefined;
};

/** @param {HTMLAnchorElement} link @param {Node[]} lines */
const open = (link, lines) => {
  close?.();
  const note = element("span", "reference-note");
  note.id = ID;
  note.popover = "manual";
  note.setAttribute("role", "note");
  note.setAttribute(
    "aria-label",
    link.classList.contains("term") ? `What ${link.textContent} means` : `Where ${link.textContent} comes from`,
  );
  note.append(...lines);
  // Behind the word, so that Tab leads into it; outside of what a click would fold, check or choose.
  const host = link.closest("summary")?.parentElement ?? link.closest("label, legend") ?? link;
  host.after(note);
  note.showPopover();
  const word = link.getClientRects()[0] ?? link.getBoundingClientRect();
  const place = placeNote(word, note.getBoundingClientRect(), { width: document.documentElement.clientWidth, height: innerHeight });
  note.style.left = `${place.left + scrollX}px`;
  note.style.top = `${place.top + scrollY}px`;
  // The browser's own hint would say half of it twice.
  link.removeAttribute("title");
  link.setAttribute("aria-describedby", ID);
  closeWhenLeft(link, note);
};

/** @param {HTMLAnchorElement} link @param {HTMLElement} note */
const closeWhenLeft = (link, note) => {
  const listening = new AbortController();
  const { signal } = listening;
  const isInside = (/** @type {EventTarget | null} */ target) => target instanceof Node && (note.contains(target) || link.contains(target));
  let leaving = 0;
  const closeNow = () => {
    clearTimeout(leaving);
    listening.abort();
    note.remove();
    link.removeAttribute("aria-describedby");
    close = undefined;
  };
  close = closeNow;

  addEventListener(
    "pointerover",
    (event) => {
      clearTimeout(leaving);
      if (event.pointerType !== "mouse" || isInside(event.target)) return;
      leaving = setTimeout(() => isInside(document.activeElement) || closeNow(), BEFORE_CLOSE);
    },
    { signal },
  );
  addEventListener("pointerdown", (event) => isInside(event.target) || closeNow(), { signal });
  addEventListener("focusin", (event) => isInside(event.target) || closeNow(), { signal });
  addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      const hadFocus = note.contains(document.activeElement);
      closeNow();
      if (hadFocus) focusQuietly(link);
    },
    { signal, capture: true },
  );
};

/** @param {HTMLElement} link */
const focusQuietly = (link) => {
  leftByKey = link;
  link.focus();
  const forget = () => {
    leftByKey = undefined;
  };
  link.addEventListener("blur", forget, { once: true });
};

/** @param {Fact} fact @param {string} page @param {string} id */
const factLines = (fact, page, id) => [
  line(element("strong", "", fact.text), ` ${fact.what}`),
  line(fact.conditions.join(" · ")),
  ...(fact.formula ? computed(fact, page) : read(fact)),
  line(anchor("All facts", `${page}#${id}`)),
];

/** @param {Term} term @param {string} url */
const termLines = ({ term, means, bite: [title, address], says }, url) => [
  line(element("strong", "", term), ` ${means}`),
  ...(Object.keys(says).length
    ? [
        line(
          Object.entries(VENDORS)
            .flatMap(([vendor, name]) => (says[vendor] ? [`${name}: ${says[vendor]}`] : []))
            .join(" · "),
        ),
      ]
    : []),
  line("Explained in: ", address ? anchor(title, siteUrl(address)) : `${title} (planned)`),
  line(anchor("All terms", url)),
];

/** @param {Fact} fact */
const read = ({ source = ["", ""], seen, status }) => [
  line(anchor(source[0], source[1]), `, read on ${seen}, ${status === "single-source" ? "one source only" : status}`),
];

/** A formula and what went into it. @param {Fact} fact @param {string} page */
const computed = ({ formula = "", inputs = [] }, page) => [
  line("Computed: ", element("code", "", formula)),
  ...inputs.map(([name, text]) => line(anchor(name, `${page}#${name}`), ` = ${text}`)),
];

/** @param {(Node | string)[]} parts */
const line = (...parts) => {
  const found = element("span", "reference-note-line");
  found.append(...parts);
  return found;
};

/** @param {string} text @param {string} href */
const anchor = (text, href) => {
  const found = document.createElement("a");
  found.href = href;
  if (!href.startsWith(location.origin)) found.rel = "noopener";
  found.textContent = text;
  return found;
};

/** @param {string} name @param {string} className @param {string} [text] */
const element = (name, className, text = "") => {
  const found = document.createElement(name);
  if (className) found.className = className;
  found.textContent = text;
  return found;
};
