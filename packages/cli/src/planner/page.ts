/** The planner page: what is typed is priced at once, shown, and kept in the address. */
import { DataMode, PlanReport, TradingCalendar } from "@effect-marketdata/core"
import { Result } from "effect"
import { show } from "./dom.ts"
import type { Texts } from "./fields.ts"
import * as Prices from "./prices.ts"
import * as State from "./state.ts"
import { view } from "./view.ts"

const byId = (id: string): HTMLElement => document.getElementById(id)!

let state: State.State = State.example
let outcome: Prices.Outcome
let writing: ReturnType<typeof setTimeout> | undefined

/** Prices what is typed, and shows it. */
const changed = (next: Partial<State.State>): void => {
  state = { ...state, ...next }
  const now = Math.floor((performance.timeOrigin + performance.now()) / 1000)
  outcome = Prices.of(state, { now, calendar: TradingCalendar.NYSE })
  for (const [id, parts] of Object.entries(view(state, outcome))) show(byId(id), parts)
  // Changing the address takes longer than all the rest, so it waits until the page is idle.
  clearTimeout(writing)
  // The page has no fibers. @effect-diagnostics-next-line globalTimers:off
  writing = setTimeout(() => history.replaceState(undefined, "", State.hash(state)))
}

/** The rows with new texts in one of them. */
const withTexts = (row: number, texts: Texts) => ({
  tasks: state.tasks.map((before, index) => index === row ? { ...before, ...texts } : before)
})

const note = (text: string, isBad = false): void => {
  Object.assign(byId("note"), { textContent: text, className: isBad ? "bad" : "" })
}

/** Shows a plan that was read; where the text has no plan, says so and changes nothing. */
const open = (read: Result.Result<State.State, string>, said: string): void => {
  if (Result.isFailure(read)) return note(`${said} was not opened: ${read.failure}`, true)
  changed(read.success)
  note(`${said} is open.`)
}

/** Asks in the cheapest mode that is fresh enough. */
const use = (row: number): void => {
  const plan = Result.getOrThrow(outcome.rows[row]!)
  const { mode } = plan.choices![0]!
  changed(withTexts(row, {
    "mode": DataMode.parameter(mode),
    "max-age": mode.maxAge === undefined ? "" : `${plan.task.need!.seconds} seconds`,
    "fallback-up-to": mode._tag === "CachedOrLive" ? String(PlanReport.liveBound(plan)) : ""
  }))
  byId(`${row}-mode`).focus()
}

/** Copies the link; over plain HTTP a page has no clipboard. */
const copy = async (): Promise<void> => {
  try {
    await navigator.clipboard.writeText(new URL(State.hash(state), location.href).href)
    note("The link is copied. It holds the whole plan; opening it sends nothing.")
  } catch {
    note("The address of this page is the link: copy it from there.")
  }
}

const save = (): void => {
  const url = URL.createObjectURL(new Blob([State.file(state)], { type: "application/json" }))
  Object.assign(document.createElement("a"), { href: url, download: "plan.json" }).click()
  URL.revokeObjectURL(url)
  note("Saved as plan.json: `marketdata plan plan.json` prices the same.")
}

/** Opens a file; one that is larger than any plan is not read, and fails as too long. */
const load = async (input: HTMLInputElement): Promise<void> => {
  const [file] = input.files ?? []
  if (file === undefined) return
  open(State.read(file.size > 1_000_000 ? " ".repeat(1_000_000) : await file.text()), file.name)
  input.value = ""
}

/** The actions of buttons. */
const doing: Readonly<Record<string, (row: number) => void>> = {
  link: () => void copy(),
  export: save,
  print: () => print(),
  example: () => changed(State.example),
  use,
  add: () => {
    if (state.tasks.length === State.most.rows) return note(`A plan here has at most ${State.most.rows} rows.`, true)
    changed({ tasks: [...state.tasks, { command: "chain", subject: "", when: "every 1min" }] })
    byId(`${state.tasks.length - 1}-subject`).focus()
  },
  remove: (row) => {
    // The rows below it keep what is open in them.
    byId("rows").children[row]!.remove()
    changed({ tasks: state.tasks.filter((_, index) => index !== row) })
    byId("add").focus()
  },
  costs: () => {
    byId("costs").focus()
    byId("costs").scrollIntoView()
  }
}

addEventListener("click", (event) => {
  const { dataset } = (event.target as Element).closest<HTMLElement>("[data-do]") ?? {}
  if (dataset === undefined) return
  // The default action of a link would replace the fragment of the address, which holds the plan.
  event.preventDefault()
  doing[dataset["do"]!]!(Number(dataset["row"]))
})
addEventListener("input", ({ target }) => {
  const input = target as HTMLInputElement
  const { key, row } = input.dataset
  if (key === undefined) return void load(input)
  const texts = { [key]: input.value }
  changed(row === "plan" ? { settings: { ...state.settings, ...texts } } : withTexts(Number(row), texts))
})

addEventListener("hashchange", () => {
  const linked = State.fromHash(location.hash)
  if (linked !== undefined) open(linked, "The plan of the link")
})

// What `marketdata planner FILE` has written into the page.
const given = document.querySelector("#given")?.textContent
const linked = State.fromHash(location.hash)
changed({})
if (linked !== undefined) open(linked, "The plan of the link")
else if (given) open(State.read(given), "The plan of the file")
