/**
 * A plan: what is asked when, as a file of tasks. A task is a query by the name of its command, the flags of the command as keys, and a schedule in
 * words:
 *
 * ```yaml
 * allowance: 100000 credits per day
 * tasks:
 *   - chain: SPX
 *     expiration: all
 *     contracts: 22718
 *     when: every 1min on trading days of 2026-11-23..2026-11-27
 *     fresh-within: 5min
 * ```
 *
 * A list of symbols is a task for each, and `date: 2026-01-02..today` a query for each trading day of these that is over.
 */
import { CalendarDate, NewYork, Plan, Problem, WorkloadSchedule } from "@effect-marketdata/core"
import { Config, Effect, Option, Result, Stream } from "effect"
import { type Askable, type Call, queriesOf, QueryCommands, type Row } from "../call/command.ts"
import * as Input from "../call/input.ts"
import { seenOf } from "../call/kept.ts"
import { type CommandError, wrong } from "../failure/failure.ts"
import { plain } from "../failure/names.ts"
import * as Settings from "../settings/settings.ts"
import * as Words from "../text/words.ts"
import * as Yaml from "../text/yaml.ts"
import { bySizes, cutting, present, usage } from "./estimate.ts"
import * as FlagValues from "./flagValues.ts"
import type { Kept, Rules } from "./rules.ts"
import { accountOf, allowanceOf, checkDay, isText, keyOf, messageOf, needOf, own, settings } from "./rules.ts"
import type { PlannedTask, ReadPlan } from "./shown.ts"

type MapNode = Yaml.Node & { readonly _tag: "Map" }

/** The mistakes so far: all of them are reported at once. */
type Troubles = Array<Yaml.Trouble>

const tell = (troubles: Troubles, { column, line }: Yaml.Position, message: string): undefined =>
  void troubles.push({ line, column, message })

/** Fails with the mistakes of a plan. `file` is its name in messages. */
const refuse = (file: string, troubles: ReadonlyArray<Yaml.Trouble>) => {
  const { column, line, message } = troubles[0]!
  const first = `${Input.nameOf(file)}, line ${line}, column ${column}: ${message}`
  return wrong("PlanInvalid", first, help, { troubles })
}

const help = "see how a plan is written with `marketdata plan --help`"

/** A key as names of commands are written: with single blanks. */
const spaced = (key: string): string => key.replaceAll(/\s+/g, " ")

const shownKey = (key: string): string => `\`${key.slice(0, 40)}\``

const unknown = (key: string, of: string, names: ReadonlyArray<string>, help: string): string => {
  const meant = Problem.nearest(key, names)
  return `${shownKey(key)} is not an option of ${of}; ` +
    (meant === undefined ? `see \`marketdata ${help} --help\`.` : `did you mean ${shownKey(meant)}?`)
}

const shownValue = (node: Yaml.Node): string => {
  if (node._tag !== "Plain") return node._tag === "List" ? "a list" : "a map"
  return node.text === "" ? "nothing" : Problem.shown(node.value)
}

/** Reads keys by their rules, and reports each value that breaks its rule with its place. */
const decode = <Own extends Rules>(rules: Own, entries: ReadonlyArray<Yaml.Entry>, troubles: Troubles): Kept<Own> => {
  const kept: Record<string, unknown> = {}
  for (const { key, value } of entries) {
    const { example, is, rule } = rules[plain(key)]!
    const given = value._tag === "Plain" ? value.value : undefined
    if (is(given)) kept[plain(key)] = given
    else tell(troubles, value, `${shownKey(key)} ${shownValue(value)} ${rule}, e.g. ${example}.`)
  }
  return kept as Kept<Own>
}

/** The time and the calendar that a plan is read with. */
type Reading = WorkloadSchedule.Now

const isMap = (node: Yaml.Node): node is MapNode => node._tag === "Map"

/** The first line of a parser's message; the lines after it show the text. */
const sentence = (message: string): string => `${message.split("\n")[0]!.replace(/[.:]?\s*$/, "")}.`

/** The values of the text of a plan. */
const rootOf = Effect.fnUntraced(function*(text: string, file: string) {
  const source = Yaml.read(text)
  const tooDeep = { line: 1, column: 1, message: "the values nest more than 50 deep." }
  if (source === undefined) return yield* refuse(file, [tooDeep])
  const mistakes = source.errors.map(({ column, line, message }) => ({ line, column, message: sentence(message) }))
  return mistakes.length === 0 ? source.root : yield* refuse(file, mistakes)
})

/** A node as a JSON value. A number that JSON would write otherwise, such as 007, stays a text. */
const jsonOf = (node: Yaml.Node): unknown => {
  if (node._tag === "List") return node.items.map(jsonOf)
  if (isMap(node)) return Object.fromEntries(node.entries.map(({ key, value }) => [spaced(key), jsonOf(value)]))
  return typeof node.value === "number" && String(node.value) !== node.text ? node.text : node.value
}

/** Reads a plan of a text. Fails with everything that is wrong. */
export const read = Effect.fnUntraced(function*(text: string, file: string) {
  const reading = yield* present
  const root = yield* rootOf(text, file)
  const troubles: Troubles = []
  const fields = isMap(root) ? root.entries : []
  const rest = fields.filter(({ key }) => plain(key) !== "tasks")
  const isSetting = ({ key }: Yaml.Entry) => Object.hasOwn(settings, plain(key))
  for (const entry of rest.filter((entry) => !isSetting(entry))) {
    tell(troubles, entry, unknown(entry.key, "a plan", ["tasks", ...Object.keys(settings)], "plan"))
  }
  const given = decode(settings, rest.filter(isSetting), troubles)
  const list = root._tag === "List" ? root : fields.find(({ key }) => plain(key) === "tasks")?.value
  const tasks = yield* readTasks(list ?? root, reading, troubles)
  if (troubles.length > 0) {
    return yield* refuse(file, troubles.toSorted((a, b) => a.line - b.line || a.column - b.column))
  }
  const account = accountOf(given.account)
  return { tasks, account, allowance: allowanceOf(given.allowance), hitRate: given["hit-rate"] } satisfies ReadPlan
})

const readTasks = Effect.fnUntraced(function*(list: Yaml.Node, reading: Reading, troubles: Troubles) {
  if (list._tag !== "List" || list.items.length === 0) {
    const rule = "must have a non-empty list `tasks`, e.g. \"tasks: [{ chain: SPX, when: every 1min }]\"."
    tell(troubles, list, `a plan ${rule}`)
    return []
  }
  const tasks: Array<PlannedTask> = []
  for (const [index, item] of list.items.entries()) {
    if (!isMap(item)) {
      tell(troubles, item, `task ${index + 1} must be a map with a query, e.g. "chain: SPX".`)
      continue
    }
    const room = tasks.reduce((room, { queries, schedule }) => room - queries.length * schedule.length, mostAsked)
    tasks.push(...yield* readTask(item, reading, troubles, room))
  }
  return tasks
})

/** The most queries of a plan, each counted for each day of its schedule: more do not fit into the memory of a program. */
const mostAsked = 250_000

/** Whether a key says something besides the query of a task. */
const isOwn = ({ key }: Yaml.Entry): boolean => Object.hasOwn(own, plain(key))

/** The query of a task: the key that is the name of a command, among all such keys, of which there is one. */
const queryOf = (task: MapNode, rows: ReadonlyArray<Row<Askable>>, troubles: Troubles) => {
  const names = rows.map(({ name }) => name)
  const queries = task.entries.filter(({ key }) => names.includes(spaced(key)))
  const [query, second] = queries
  if (second !== undefined) {
    tell(troubles, second, `${shownKey(second.key)} is a second query: a task has one, so make it a task of its own.`)
  }
  if (query !== undefined) return { row: rows[names.indexOf(spaced(query.key))]!, query, queries }
  for (const entry of task.entries.filter((entry) => !isOwn(entry))) {
    const meant = Problem.nearest(entry.key, names)
    if (meant === undefined) continue
    return tell(troubles, entry, `${shownKey(entry.key)} is not a query; did you mean ${shownKey(meant)}?`)
  }
  return tell(troubles, task, `a task must have a query, one of ${names.join(", ")}.`)
}

type About = NonNullable<ReturnType<typeof queryOf>>

/** A value as words of a command line; undefined for one that cannot be written there, such as a map. */
const textsOf = (node: Yaml.Node, { isVariadic, kind }: FlagValues.Named): ReadonlyArray<string> | undefined => {
  if (node._tag === "Map" || isEmpty(node)) return undefined
  if (node._tag === "Plain") return isVariadic ? node.text.split(/\s+/).filter((word) => word !== "") : [node.text]
  const texts = node.items.map((item) => item._tag === "Plain" && item.value !== null ? item.text : undefined)
  if (!texts.every((text) => text !== undefined)) return undefined
  return isVariadic || kind === "argument" ? texts : [texts.join(",")]
}

/** Assigns each key to the argument or flag that it names: their values, and the entry that each comes from. */
const give = ({ queries, query, row }: About, task: MapNode, reader: FlagValues.Reader, troubles: Troubles) => {
  const values = new Map<string, ReadonlyArray<string>>()
  const places = new Map<string, Yaml.Entry>()
  const add = (entry: Yaml.Entry, one: FlagValues.Named): void => {
    const texts = textsOf(entry.value, one)
    places.set(one.name, entry)
    if (texts === undefined) {
      const line = one.kind === "argument" ? `\`marketdata ${row.name}\`` : `--${one.name}`
      tell(troubles, entry.value, `${shownKey(entry.key)} ${wanted(entry.value, one)}, as after ${line}.`)
    } else values.set(one.name, texts)
  }
  const [argument] = reader.named.filter(({ kind }) => kind === "argument")
  const mayBeEmpty = argument?.isOptional || argument?.isVariadic
  if (argument !== undefined && !(mayBeEmpty && isEmpty(query.value))) add(query, argument)
  const flags = reader.named.filter(({ kind }) => kind === "flag")
  for (const entry of task.entries.filter((entry) => !queries.includes(entry) && !isOwn(entry))) {
    const flag = flags.find(({ name }) => name === plain(entry.key))
    if (flag !== undefined) add(entry, flag)
    else {
      const names = [...flags.map(({ name }) => name), ...Object.keys(own)]
      tell(troubles, entry, unknown(entry.key, row.name, names, row.name))
    }
  }
  return { ...reader, query, values, places }
}

type Given = ReturnType<typeof give>

type Runs = WorkloadSchedule.Runs

const isEmpty = (node: Yaml.Node): boolean => node._tag === "Plain" && node.value === null

const wanted = (node: Yaml.Node, { isVariadic }: FlagValues.Named): string =>
  isEmpty(node) ? "must have a value" : `${shownValue(node)} must be a value${isVariadic ? " or a list of values" : ""}`

/** The call that the values make, which a schedule asks; undefined if they make none, after adding why to `troubles`. */
const ask = Effect.fnUntraced(function*({ call }: Askable, given: Given, troubles: Troubles, schedule: Runs) {
  const { places, query, read, values } = given
  const { input, refused } = yield* read(values)
  for (const { error, name } of refused) {
    const message = error.message.replaceAll(/\s*\n\s*/g, " ").replace(/\.?$/, ".")
    tell(troubles, (places.get(name) ?? query).value, message)
  }
  if (refused.length > 0) return undefined
  const dated = Effect.tap(call(input), ({ query }) => Effect.fromResult(checkDay(query, schedule)))
  const made = yield* Effect.result(dated)
  if (Result.isSuccess(made)) return made.success
  const { failure } = made
  const key = failure._tag === "InvalidQuery" ? keyOf(failure.parameter, [...places.keys()]) : undefined
  return tell(troubles, (places.get(key ?? "") ?? query).value, messageOf(failure))
})

/** Whether a value of `date` is a range or a set of days. */
const isDays = /\.\.|\btrading days?\b|^\d{4}-\d{2}$/i

/** The days that the values of `date` name, without those that are not over: they have no data yet. */
const datesOf = (entry: Yaml.Entry, values: ReadonlyArray<string>, { calendar, now }: Reading, troubles: Troubles) => {
  const today = CalendarDate.format(NewYork.dateOf(now))
  const before = troubles.length
  const dates = values.flatMap((value) => value.split(",")).flatMap((text) => {
    if (!isDays.test(text)) return [text]
    const days = WorkloadSchedule.tradingDays(text, { now, calendar })
    if (Result.isSuccess(days)) return days.success.map(CalendarDate.format).filter((day) => day < today)
    tell(troubles, entry.value.within(days.failure.at), `${shownKey(entry.key)}: ${days.failure.message}`)
    return []
  })
  if (dates.length === 0 && troubles.length === before) {
    tell(troubles, entry.value, `${shownKey(entry.key)} names no trading day that is over.`)
  }
  return [...new Set(dates)]
}

/** Reads a task: a list of symbols makes a task for each if the command takes a single one; each has a query for each day. */
const readTask = Effect.fnUntraced(function*(task: MapNode, reading: Reading, troubles: Troubles, room: number) {
  const before = troubles.length
  const about = queryOf(task, yield* QueryCommands, troubles)
  const said = task.entries.filter(isOwn)
  const settings = decode(own, said, troubles)
  const when = said.find(({ key }) => key === "when")
  const schedule = when === undefined || !isText(settings.when)
    ? WorkloadSchedule.once(reading.now)
    : readSchedule(when, reading, troubles)
  const tasks: Array<PlannedTask> = []
  if (about === undefined) return tasks
  const { query, row } = about
  const askable = yield* Effect.promise(row.load)
  const given = give(about, task, FlagValues.reader(askable.flags), troubles)
  const { named, places, values } = given
  const symbol = named.find(({ isVariadic, kind }) => kind === "argument" && !isVariadic)?.name ?? ""
  const symbols = values.get(symbol) ?? []
  const days = places.get("date")
  const dates = days === undefined ? [] : datesOf(days, values.get("date") ?? [], reading, troubles)
  if (Math.max(1, symbols.length) * Math.max(1, dates.length) * (schedule?.length ?? 0) > room) {
    const most = `${Words.number(mostAsked)} queries, each counted for each day of its schedule`
    tell(troubles, query, `a plan must have at most ${most}: make several plans of it.`)
  }
  if (troubles.length > before || schedule === undefined) return tasks
  for (const one of symbols.length > 1 ? symbols : [undefined]) {
    const calls: Array<Call> = []
    for (const date of dates.length > 0 ? dates : [undefined]) {
      const own = new Map(values)
      if (one !== undefined) own.set(symbol, [one])
      if (date !== undefined) own.set("date", [date])
      const call = yield* ask(askable, { ...given, values: own }, troubles, schedule)
      if (call === undefined) return []
      calls.push(call)
    }
    const [first, ...others] = calls
    const label = settings.name ?? (one === undefined ? labelOf(query) : query.key)
    tasks.push({
      name: one === undefined ? label : `${label} ${one}`,
      folder: settings.name ?? row.name,
      when: settings.when ?? "once",
      queries: [...queriesOf(first!), ...others.flatMap(queriesOf)],
      fallbackUpTo: first!.fallbackUpTo,
      schedule,
      need: needOf(settings["fresh-within"], settings["may-miss"] ?? false)
    })
  }
  return tasks
})

const labelOf = ({ key, value }: Yaml.Entry): string => {
  const parts = value._tag === "List" ? value.items : [value]
  return `${key} ${parts.map((part) => part._tag === "Plain" ? part.text : "").join(" ")}`.trim()
}

const readSchedule = ({ value }: Yaml.Entry, reading: Reading, troubles: Troubles) => {
  const text = value._tag === "Plain" ? value.text : ""
  const schedule = WorkloadSchedule.parse(text, reading)
  if (Result.isSuccess(schedule)) return schedule.success
  return tell(troubles, value.within(schedule.failure.at), `\`when\`: ${schedule.failure.message}`)
}

/** Larger than any plan that a person writes. */
const mostBytes = 1_048_576

const unreadable = (file: string) => (why: string): CommandError =>
  wrong("PlanUnreadable", `${Input.nameOf(file)}: ${why}`, help)

/** The text of a file, or of standard input, no longer than a plan may be. */
const textOf = Effect.fnUntraced(function*(file: string) {
  let size = 0
  const bytes = Input.bytesOf(file, "plan", unreadable(file))
  const few = Stream.takeWhile(bytes, ({ length }) => (size += length) <= mostBytes)
  const text = yield* Stream.mkString(Stream.decodeText(few))
  return size > mostBytes ? yield* unreadable(file)("this is larger than 1 MiB, and no plan is") : text
})

/** The allowance of the settings, for a plan without one. */
const configured = Config.all({
  credits: Settings.config("allowance"),
  window: Config.withDefault(Settings.config("allowanceWindow"), "day" as const)
}).pipe(Config.option, Config.map(Option.getOrUndefined))

/** A task with its prices. */
export type PricedTask = Plan.Priced & { readonly task: PlannedTask }

/** Reads the text of a plan, and prices its tasks. `file` is its name in messages. */
export const priced = Effect.fnUntraced(function*(text: string, file: string) {
  const given = yield* read(text, file)
  const plan: ReadPlan = { ...given, allowance: given.allowance ?? (yield* configured) }
  const cut = yield* cutting
  const priced: Array<PricedTask> = []
  for (const task of plan.tasks) {
    const seen = yield* seenOf(task.queries[0], cut.baseUrl)
    const prices = yield* Effect.mapError(
      Effect.fromResult(Plan.price(task, { ...cut, seen, hitRate: plan.hitRate, account: plan.account })),
      ({ _tag, message }) => usage({ _tag, message: `${Input.nameOf(file)}, ${task.name}: ${message}` })
    )
    priced.push({ ...prices, task })
  }
  return { plan, priced }
}, bySizes)

/** Reads the plan of a file, and prices its tasks. */
export const pricedOf = (file: string) => Effect.flatMap(textOf(file), (text) => priced(text, file))

/** The plan of a file as JSON, for the planner page, which has no YAML parser. It is checked as `marketdata plan` does. */
export const valueOf = Effect.fnUntraced(function*(file: string) {
  const text = yield* textOf(file)
  yield* read(text, file)
  return jsonOf(yield* rootOf(text, file))
})
