/** The planner page: what is typed is priced at once, shown, and kept in the address. First the content of the page as a function of its state alone. */
import { DataMode, NewYork, type Plan, PlanReport, TradingCalendar, Workload } from "@effect-marketdata/core"
import { Result } from "effect"
import * as Words from "../text/words.ts"
import { type Part, type Parts, show, table, tag } from "./dom.ts"
import { choicesOf, commands, type Field, field, fieldsOf, own, rest, settings, type Texts, usual } from "./fields.ts"
import * as Prices from "./prices.ts"
import * as State from "./state.ts"

/** Lengths of a bar, in seconds: the first that makes few enough bars is used. */
const lengths = [60, 300, 900, 1800, 3600, 7200]
const mostBars = 48

const [width, height, top, base] = [640, 200, 18, 178]

const clock = (time: number): string => NewYork.format(time).slice(11, 16)

/** The height of a bar: the upper bound of the price, or the lower bound if the upper one is infinite. */
const high = ({ max, min }: Workload.Cost): number => max === Infinity ? min : max

/** The chart of a day: a bar for each stretch of time, as high as what is asked in it may cost. */
const chart = (workload: Workload.Workload, day: Workload.WindowCost): Parts => {
  const minutes = Workload.byWindow(workload, "minute").filter(({ start }) => start >= day.start && start < day.end)
  const [from, to] = [minutes[0]!.start, minutes.at(-1)!.start]
  const length = lengths.find((length) => (to - from) / length < mostBars) ?? 7200
  const timeOf = (start: number) => Math.floor(start / length) * length
  const grouped = PlanReport.grouped(minutes, (start) => String(timeOf(start)))
  const bars = Array.from(grouped, ([time, cost]) => ({ time: Number(time), cost }))
  const [first, last] = [timeOf(from), timeOf(to) + length]
  const highest = Math.max(...bars.map(({ cost }) => high(cost)))
  const wide = width * length / (last - first)
  const bar = (kind: string, time: number, credits: number) => {
    const size = highest === 0 ? 0 : credits / highest * (base - top)
    const [x, thick] = [(time - first) / length * wide + 1, Math.max(1, wide - 2)]
    return tag("rect", { class: kind, x: `${x}`, y: `${base - size}`, width: `${thick}`, height: `${size}` })
  }
  const text = (x: number, y: number, text: string) =>
    tag("text", { x: `${x}`, y: `${y}`, "text-anchor": x === 0 ? "start" : "end" }, text)
  const line = (y: number) => tag("line", { x2: `${width}`, y1: `${y}`, y2: `${y}` })
  const date = NewYork.format(day.start).slice(0, 10)
  const caption = `Credits per ${length === 60 ? "minute" : Words.age(length)} on ${date}, New York`
  const unbound = bars.some(({ cost }) => cost.max === Infinity)
    ? " Some have no upper bound: their bars show the least."
    : ""
  const said = `${caption}: at most ${Words.number(highest)}.${unbound}`
  const rows = bars.map(({ cost, time }) => [clock(time), Words.number(cost.queries), PlanReport.format(cost)])
  return [
    tag("figcaption", {}, `${caption}; light bars may cost as much, dark ones at least.${unbound}`),
    tag(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": said },
      line(base),
      line(top),
      text(0, top - 6, Words.number(highest)),
      ...bars.flatMap(({ cost, time }) => [bar("bar most", time, high(cost)), bar("bar", time, cost.min)]),
      text(0, height - 6, clock(first)),
      text(width, height - 6, clock(last))
    ),
    tag("details", {}, tag("summary", {}, "The same as a table"), table([["from", "queries", "credits"], ...rows]))
  ]
}

const words: Readonly<Record<string, string>> = { "": "—", true: "yes", false: "no" }

/** A button, with its action and its row as data. */
const button = (does: string, row: number, text: string, label: string): Part =>
  tag("button", { type: "button", "data-do": does, "data-row": `${row}`, "aria-label": label }, text)

/** A field: its label, what is typed into it, and a place for what is wrong with it. */
const control = (row: number | "plan", field: Field, texts: Texts, trouble: Prices.Trouble | undefined): Part => {
  const { hint, key, label } = field
  const [id, value, choices] = [`${row}-${key}`, texts[key] ?? "", choicesOf(field)]
  const error = trouble?.key === key && trouble.message
  const input = { placeholder: hint, list: key === "when" && "schedules", autocomplete: "off", spellcheck: "false" }
  const shared = { id, value, "data-row": `${row}`, "data-key": key, "aria-describedby": `${id}-error` }
  const attributes = { ...shared, "aria-invalid": error && "true" }
  const options = (key === "command" ? choices : ["", ...choices]).map((value) =>
    tag("option", { value }, words[value] ?? value)
  )
  const isHidden = ["max-age", "fallback-up-to"].includes(key) && texts["mode"] !== "cached" && value === ""
  return tag(
    "div",
    { class: ["when", "subject", "allowance"].includes(key) ? "field wide" : "field", hidden: isHidden && "" },
    tag("label", { for: id }, label),
    choices.length === 0 ? tag("input", { ...attributes, ...input }) : tag("select", attributes, ...options),
    tag("p", { class: "error", id: `${id}-error` }, error)
  )
}

const list = (basis: Prices.Basis): Part => {
  const told = Object.entries(basis).filter(([, text]) => text !== undefined && text !== "")
  return tag("dl", {}, ...told.flatMap(([name, text]) => [tag("dt", {}, name), tag("dd", {}, text)]))
}

/** The cheapest mode that is fresh enough, and a button that asks in it. */
const advice = (at: number, plan: Plan.Priced): Part => {
  const [first] = plan.choices ?? []
  const within = `fresh within ${Words.age(plan.task.need?.seconds ?? 0)}`
  if (first === undefined) {
    return plan.choices && tag("p", { class: "advice bad" }, `No mode has data that are ${within}.`)
  }
  const name = PlanReport.modeNames[first.mode._tag]
  const isAsked = first.mode._tag === plan.asked.mode
  // A fallback to live data needs a ceiling, and a price without an upper bound gives no ceiling.
  const canBeUsed = !isAsked && (first.mode._tag !== "CachedOrLive" || PlanReport.liveBound(plan) !== Infinity)
  const cost = PlanReport.format(first.cost)
  const said = `${isAsked ? "This is the cheapest that is" : "Cheapest that is"} ${within}: ${name}, ${cost}.`
  return tag("p", { class: "advice" }, said, canBeUsed && button("use", at, "Use it", `Use ${name} in row ${at + 1}`))
}

/** What a row costs, how it would cost less, and the rule behind it. */
const priced = (at: number, row: Prices.Priced, remove: Part): Parts => {
  const foot = (strong: Part, said: string) => tag("div", { class: "foot" }, strong, tag("span", {}, said), remove)
  if (Result.isFailure(row)) return [foot(tag("strong", { class: "bad" }, "Not counted"), "until it is right")]
  const plan = row.success
  const modes = PlanReport.inModes(plan)
  const each = `${PlanReport.format(modes[0]!.each)} each time, ${Words.count(PlanReport.times(plan), "time")}`
  const cells = modes.map((one) => [one.name, PlanReport.short(one.each), PlanReport.short(one.cost), one.clauses])
  const inModes = table([["mode", "credits each time", "all times", "clause"], ...cells], (at) => at === 1 || at === 2)
  const summary = tag("summary", {}, "Rule, and the price in each mode")
  return [
    foot(tag("strong", {}, PlanReport.format(plan.asked.cost)), each),
    advice(at, plan),
    tag("details", { class: "rule" }, summary, inModes, list(Prices.basisOf(plan)))
  ]
}

const row = (at: number, texts: Texts, one: Prices.Priced, isOnly: boolean): Part => {
  const command = texts["command"]!
  const [argument, hint] = commands[command]!
  const trouble = Result.isFailure(one) ? one.failure : undefined
  const controls = (fields: ReadonlyArray<Field>) =>
    tag("div", { class: "fields" }, ...fields.map((field) => control(at, field, texts, trouble)))
  const query = [
    field("command", [], "choice", Object.keys(commands).join(" or "), "ask for"),
    field("subject", [], "text", hint, argument)
  ]
  const [when, within, miss, name] = own
  const others = [...fieldsOf(command, rest), name]
  const remove = !isOnly && button("remove", at, "Remove", `Remove row ${at + 1}`)
  const isFilled = others.some(({ key }) => (texts[key] ?? "") !== "" || trouble?.key === key)
  const summary = tag("summary", {}, `More of ${command}: filters, days, columns`)
  return tag(
    "fieldset",
    { class: "row" },
    tag("legend", {}, `Row ${at + 1}`),
    controls([...query, when, ...fieldsOf(command, usual), within, miss]),
    tag("details", { class: "more", open: isFilled && "" }, summary, controls(others)),
    tag("div", { class: "priced" }, ...priced(at, one, remove))
  )
}

const figure = ([id, label, value, parts, basis]: Prices.Figure, means = ""): Part =>
  tag(
    "details",
    { id: `figure-${id}`, class: "figure" },
    tag("summary", {}, tag("span", { class: "label" }, label), tag("span", { class: `value ${means}` }, value)),
    tag("div", { class: "body" }, list(basis), parts.length > 2 && table(parts))
  )

/** The content of each part of the page, by its id. */
const view = ({ settings: texts, tasks }: State.State, outcome: Prices.Outcome): Readonly<Record<string, Parts>> => {
  const { day, figures, verdict } = Prices.figures(outcome, tasks)
  const glance = `A day ${figures[0]![2]} · a month ${figures[1]![2]}`
  return {
    settings: settings.map((field) =>
      control("plan", field, texts, outcome.troubles.find(({ key }) => key === field.key))
    ),
    rows: tasks.map((texts, at) => row(at, texts, outcome.rows[at]!, tasks.length === 1)),
    figures: figures.map((one) => figure(one, one[0] === "allowance" ? verdict : undefined)),
    chart: day === undefined ? [] : chart(outcome.workload, day),
    glance: [day === undefined ? "Nothing is asked yet" : glance]
  }
}

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
