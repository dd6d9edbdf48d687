/** The planner page: a form whose fields are a plan, and beside it what the plan costs. What is typed is priced at once, and kept in the address. */
import * as DataMode from "@effect-marketdata/core/DataMode"
import type * as Plan from "@effect-marketdata/core/Plan"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Result from "effect/Result"
import * as Shown from "../plans/shown.ts"
import * as Words from "../text/words.ts"
import * as Chart from "./chart.ts"
import { button, byId, fill, html, list, type Part, table } from "./dom.ts"
import { endpoints } from "./endpoints.ts"
import * as Figures from "./figures.ts"
import * as Outcome from "./outcome.ts"
import * as State from "./state.ts"

/** A row as it is typed: its texts change with every key. */
interface Row {
  endpoint: string
  subject: string
  texts: Record<string, string>
}

let rows: Array<Row> = []
let settings: Record<string, string> = {}
const state = (): State.State => ({ rows, texts: settings })

const now = () => ({
  now: Math.floor((performance.timeOrigin + performance.now()) / 1000),
  calendar: TradingCalendar.NYSE
})

const note = (text: string, isBad = false): void => {
  byId("note").textContent = text
  byId("note").className = isBad ? "bad" : ""
}

let ids = 0

/** A field: its label, what is typed into it, and a place for what is wrong with it. */
const field = (
  name: string,
  key: string,
  value: string,
  more: { readonly hint?: string; readonly list?: string; readonly choices?: ReadonlyArray<readonly [string, string]> },
  onInput: (text: string) => void
): HTMLElement => {
  const id = `field-${++ids}`
  const shared = { id, "data-key": key, "aria-describedby": `${id}-error` }
  const control = more.choices === undefined
    ? html("input", {
      ...shared,
      placeholder: more.hint ?? "",
      list: more.list,
      autocomplete: "off",
      spellcheck: "false"
    })
    : html("select", shared, ...more.choices.map(([value, text]) => html("option", { value }, text)))
  control.value = value
  control.addEventListener("input", () => onInput(control.value))
  const classes = ["when", "", "allowance"].includes(key) ? "field wide" : "field"
  return html(
    "div",
    { class: classes },
    html("label", { for: id }, name),
    control,
    html("p", { class: "error", id: `${id}-error` })
  )
}

/** What is wrong, beside its field; what has no field of its own stands at the argument. */
const tell = (within: Element, troubles: ReadonlyArray<Outcome.Trouble>): void => {
  const controls = [...within.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[data-key]")]
  for (const control of controls) {
    const own = troubles.filter(({ key }) => key === control.dataset["key"])
    const text = own.map(({ message }) => message).join(" ")
    const place = byId(`${control.id}-error`)
    if (place.textContent !== text) place.textContent = text
    control.toggleAttribute("aria-invalid", false)
    if (text === "") continue
    control.setAttribute("aria-invalid", "true")
    control.closest("details")?.setAttribute("open", "")
  }
}

/** The names of fields that say more than their keys in a plan. */
const names: Readonly<Record<string, string>> = {
  "mode": "data",
  "max-age": "cached within",
  "fallback-up-to": "then live, up to",
  "contracts": "contracts expected",
  "candles": "candles expected",
  "credits": "credits expected",
  "symbols": "stocks expected",
  "dte": "days to expiration",
  "strike-limit": "strikes each side",
  "when": "asked when, in New York",
  "hit-rate": "cache hit rate"
}

const nameOf = (key: string): string => names[key] ?? key.replaceAll("-", " ")

/** The fields that most plans fill in; the others are a step away. */
const usual = new Set([
  "mode",
  "max-age",
  "fallback-up-to",
  "contracts",
  "candles",
  "expiration",
  "dte",
  "strike-limit",
  "side",
  "resolution"
])

const words: Readonly<Record<string, string>> = {
  "": "—",
  true: "yes",
  false: "no",
  live: "live",
  cached: "cached",
  delayed: "delayed"
}

const schedules = [
  "once",
  "every 1min",
  "every 30s from 9:30 to 10:00",
  "every 5min from 10:00 to 12:00 on trading days of 2026-12",
  "once at 16:00 on the next 21 trading days",
  "every 1h on the next 5 trading days"
]

const card = (row: Row, index: number): HTMLElement => {
  const { argument, fields, hint } = endpoints[row.endpoint]!
  const set = (key: string) => (text: string) => {
    row.texts[key] = text
    changed()
  }
  const of = (key: string, hint: string, choices: ReadonlyArray<string> = []): HTMLElement => {
    const more = choices.length === 0
      ? { hint, ...key === "when" && { list: "schedules" } }
      : { choices: ["", ...choices].map((value) => [value, words[value] ?? value] as const) }
    return field(nameOf(key), key, row.texts[key] ?? "", more, set(key))
  }
  const made = (isUsual: boolean) =>
    fields.filter(({ key }) => usual.has(key) === isUsual).map(({ choices, hint, key }) => of(key, hint, choices))
  const commands = Object.keys(endpoints).map((name) => [name, name] as const)
  const rest = made(false)
  const isFilled = fields.some(({ key }) => !usual.has(key) && (row.texts[key] ?? "") !== "")
  return html(
    "fieldset",
    { class: "row" },
    html("legend", {}, `Row ${index + 1}`),
    html(
      "div",
      { class: "fields" },
      field("ask for", "endpoint", row.endpoint, { choices: commands }, (text) => {
        row.endpoint = text
        draw(`.row:nth-child(${index + 1}) [data-key=endpoint]`)
      }),
      field(argument, "", row.subject, { hint }, (text) => {
        row.subject = text
        changed()
      }),
      of("when", "once"),
      ...made(true),
      of("fresh-within", "5min"),
      of("may-miss", "", ["true", "false"])
    ),
    rest.length > 0 && html(
      "details",
      { class: "more", ...isFilled && { open: "" } },
      html("summary", {}, `More of ${row.endpoint}: filters, days, columns`),
      html("div", { class: "fields" }, ...rest)
    ),
    html("div", { class: "priced" })
  )
}

/** What a row costs, how it would cost less, and the rule behind it. */
const priced = (row: Row, index: number, one: Outcome.Priced): ReadonlyArray<Part> => {
  const remove = rows.length > 1 && button("Remove", `Remove row ${index + 1}`, () => {
    rows.splice(index, 1)
    draw("#add")
  })
  if (Result.isFailure(one)) {
    return [
      html(
        "div",
        { class: "foot" },
        html("strong", { class: "bad" }, "Not counted"),
        html("span", {}, "until it is right"),
        remove
      )
    ]
  }
  const plan = one.success
  const times = Outcome.timesOf(plan)
  const each = Shown.inCredits(Shown.oneTime(plan.asked, plan.task.schedule.length))
  const open = byId("rows").children[index]?.querySelector(".rule")?.hasAttribute("open") === true
  return [
    html(
      "div",
      { class: "foot" },
      html("strong", {}, Shown.inCredits(plan.asked.cost)),
      html("span", {}, `${each} each time, ${Words.count(times, "time")}`),
      remove
    ),
    advice(row, index, plan),
    html(
      "details",
      { class: "rule", ...open && { open: "" } },
      html("summary", {}, "Rule, and the price in each mode"),
      table(
        ["mode", "credits each time", "all times", "clause"],
        [plan.asked, ...plan.others].map((mode) => ({
          isMarked: mode === plan.asked,
          cells: [
            Shown.names[mode.mode] + (mode === plan.asked ? " (asked)" : ""),
            Shown.cost(Shown.oneTime(mode, plan.task.schedule.length)),
            Shown.cost(mode.cost),
            Shown.clausesOf(mode).join(", ")
          ]
        })),
        [1, 2]
      ),
      list(Figures.rule(plan))
    )
  ]
}

/** The cheapest mode that is fresh enough, and a button that asks in it. */
const advice = (row: Row, index: number, plan: Plan.Priced): Part => {
  const { choices, task: { need } } = plan
  if (choices === undefined || need === undefined) return undefined
  const [first] = choices
  const within = `within ${Words.age(need.seconds)}`
  if (first === undefined) return html("p", { class: "advice bad" }, `No mode has data ${within}.`)
  const { mode } = first
  const isAsked = mode._tag === plan.asked.mode
  const bound = Shown.liveBound(plan)
  const text = `${isAsked ? "This is the cheapest that is fresh" : `Cheapest that is fresh`} ${within}: ${
    Shown.names[mode._tag]
  }, ${Shown.inCredits(first.cost)}.`
  const use = () => {
    Object.assign(row.texts, {
      "mode": DataMode.parameter(mode),
      "max-age": DataMode.isCached(mode) ? `${need.seconds} seconds` : "",
      "fallback-up-to": mode._tag === "CachedOrLive" && bound !== Infinity ? String(bound) : ""
    })
    draw(`.row:nth-child(${index + 1}) [data-key=mode]`)
  }
  // Live data after a miss need a ceiling, and there is none where the price has no bound.
  const canBeUsed = !isAsked && (mode._tag !== "CachedOrLive" || bound !== Infinity)
  return html(
    "p",
    { class: "advice" },
    text,
    canBeUsed && button("Use it", `Use ${Shown.names[mode._tag]} in row ${index + 1}`, use)
  )
}

/** Prices what is typed, and shows it; the fields stay as they are, so that nobody is interrupted. */
const changed = (): void => {
  const outcome = Outcome.of(state(), now())
  const cards = byId("rows").children
  outcome.rows.forEach((one, index) => {
    const row = rows[index]!
    const card = cards[index]!
    tell(card, Result.isFailure(one) ? [one.failure] : [])
    for (const key of ["max-age", "fallback-up-to"]) {
      const isUseful = row.texts["mode"] === "cached" || (row.texts[key] ?? "") !== ""
      card.querySelector(`[data-key=${key}]`)?.closest(".field")?.toggleAttribute("hidden", !isUseful)
    }
    fill(card.querySelector(".priced")!, priced(row, index, one))
  })
  tell(byId("settings"), outcome.troubles)
  Figures.show(
    byId("figures"),
    outcome,
    rows.map(({ endpoint, subject }, index) => `${index + 1}. ${endpoint} ${subject}`)
  )
  fill(byId("chart"), Chart.draw(outcome))
  byId("glance").textContent = Figures.glance(outcome)
  history.replaceState(undefined, "", State.hash(state()))
}

/** Makes the fields anew, and has the keyboard go on where it was. */
const draw = (focused?: string): void => {
  byId("rows").replaceChildren(...rows.map(card))
  const setting = (key: string, hint: string) =>
    field(nameOf(key), key, settings[key] ?? "", { hint }, (text) => {
      settings[key] = text
      changed()
    })
  document.querySelector("#settings .fields")!.replaceChildren(
    setting("allowance", "100000 credits per day"),
    setting("hit-rate", "0.9")
  )
  changed()
  if (focused !== undefined) document.querySelector<HTMLElement>(focused)?.focus()
}

const load = ({ rows: given, texts }: State.State): void => {
  rows = given.map((row) => ({ ...row, texts: { ...row.texts } }))
  settings = { ...texts }
  draw()
}

/** Loads a plan that was read; where it is not one, says so and changes nothing. */
const open = (read: Result.Result<State.State, State.NotAPlan>, said: string): void => {
  if (Result.isFailure(read)) return note(`${said} was not opened: ${read.failure.message}`, true)
  load(read.success)
  note(`${said} is open.`)
}

byId("link").addEventListener("click", () => {
  const done = (isCopied: boolean) =>
    note(
      isCopied
        ? "The link is copied. It holds the whole plan, and nobody is asked for it."
        : "The address of this page is the link: copy it from there."
    )
  const { clipboard } = navigator as Partial<Navigator>
  if (clipboard === undefined) done(false)
  else void clipboard.writeText(location.href).then(() => done(true), () => done(false))
})
byId("export").addEventListener("click", () => {
  const url = URL.createObjectURL(new Blob([State.file(state())], { type: "application/json" }))
  html("a", { href: url, download: "plan.json" }).click()
  URL.revokeObjectURL(url)
  note("Saved as plan.json: `marketdata plan plan.json` prices the same.")
})
byId<HTMLInputElement>("import").addEventListener("change", ({ target }) => {
  const { files } = target as HTMLInputElement
  const file = files?.[0]
  if (file === undefined) return
  const opened = (text: string) => open(State.read(text), file.name)
  // What is larger than any plan is not read.
  if (file.size > 1_000_000) opened(" ".repeat(1_000_000))
  else void file.text().then(opened)
  ;(target as HTMLInputElement).value = ""
})
for (const id of ["skip", "glance"]) {
  byId(id).addEventListener("click", (event) => {
    // What stands behind the address is the plan.
    event.preventDefault()
    byId("costs").focus()
    byId("costs").scrollIntoView()
  })
}
byId("print").addEventListener("click", () => print())
byId("add").addEventListener("click", () => {
  rows.push({ endpoint: "chain", subject: "", texts: { when: "every 1min" } })
  draw(`.row:nth-child(${rows.length}) [data-key=""]`)
})
byId("example").addEventListener("click", () => load(State.example))

document.body.append(html("datalist", { id: "schedules" }, ...schedules.map((value) => html("option", { value }))))
// What `marketdata planner FILE` has written into the page.
const given = document.querySelector("#given")?.textContent
const linked = State.fromHash(location.hash)
load(State.example)
if (linked !== undefined) open(linked, "The plan of the link")
else if (given) open(State.read(given), "The plan of the file")
addEventListener("hashchange", () => {
  const read = State.fromHash(location.hash)
  if (read !== undefined) open(read, "The plan of the link")
})
