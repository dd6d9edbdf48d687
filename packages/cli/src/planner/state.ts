/**
 * The state of the planner, as texts, and a Schema between it and a plan in JSON, which is the file that `marketdata plan` reads, and the text after `#plan=`
 * in a link. The page reads JSON only; `marketdata planner FILE` converts YAML before it opens the page.
 */
import { Problem } from "@effect-marketdata/core"
import { Result, Schema, SchemaGetter } from "effect"
import { plain } from "../failure/names.ts"
import { settings } from "../plans/rules.ts"
import { commands, fieldsOf, own, subjectsOf, type Texts } from "./fields.ts"

/** The most rows and characters of a plan: few enough to be priced at every keystroke. */
export const most = { rows: 20, characters: 100_000 }

const TextsOf = Schema.Record(Schema.String, Schema.String)

/** Everything that is typed: what a plan says besides its tasks, and a row for each task, with its `command` and `subject`. */
const State = Schema.Struct({
  settings: TextsOf,
  tasks: Schema.Array(TextsOf).check(
    Schema.isBetweenLength(1, most.rows, { expected: `a list of 1 to ${most.rows}, such as [{ "chain": "SPX" }]` })
  )
})

export type State = typeof State.Type

const Plain = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null])

const Value = Schema.Union([Plain, Schema.Array(Plain)]).annotate({
  expected: `a value such as "every 1min", 30 or true, or a list of them`
})

type Values = Readonly<Record<string, typeof Value.Type>>

/** What is wrong with the keys of a plan or a task; undefined where nothing is. */
const unknownIn = (values: Values, keys: ReadonlyArray<string>): string | undefined => {
  const key = Object.keys(values).find((key) => !keys.includes(plain(key)))
  const example = key === undefined ? "" : Problem.nearest(key, keys) ?? keys.join(", ")
  return key && Problem.format(`\`${key.slice(0, 40)}\``, { rule: "must be an option that it has", example })
}

/** The keys that a row of a command may have. */
const keysOf = (command: string): ReadonlyArray<string> => [...own, ...fieldsOf(command)].map(({ key }) => key)

const commandOf = (task: Values) => Object.keys(task).find((key) => Object.hasOwn(commands, key))

const Task = Schema.Record(Schema.String, Value).check(Schema.makeFilter((task) => {
  const command = commandOf(task)
  return command === undefined
    ? `a task must have one query; there are ${Object.keys(commands).join(", ")}`
    : unknownIn(task, [command, ...keysOf(command)])
}))

const Settings = Schema.Record(Schema.String, Schema.Union([Value, Schema.Array(Task)]))

const Plan = Schema.StructWithRest(Schema.Struct({ tasks: Schema.Array(Task) }), [Settings]).check(
  Schema.makeFilter((plan) => unknownIn(plan as Values, ["tasks", ...Object.keys(settings)]))
)

const textOf = (value: typeof Value.Type, between: string): string =>
  Array.isArray(value) ? value.join(between) : String(value ?? "")

/** Keys whose values stay texts, even if they look like numbers. */
const isText = new Set(["name", "when", "fresh-within"])

/** A text as a value of a plan: a number or a boolean if it is written as one. A hit rate is a number however it is written, as `.90`. */
const valueOf = (key: string, text: string) =>
  text === "true" || text === "false"
    ? text === "true"
    : Number.isFinite(Number(text)) && (key === "hit-rate" || /^\d/.test(text) && String(Number(text)) === text)
    ? Number(text)
    : text

const filled = (texts: Texts, keys: ReadonlyArray<string>) =>
  Object.fromEntries(keys.flatMap((key) => {
    const text = (texts[key] ?? "").trim()
    return text === "" ? [] : [[key, isText.has(key) ? text : valueOf(key, text)]]
  }))

/** Whether a command asks for one symbol, by the name of its argument; a list of them is a task for each. */
const takesOne = (command: string): boolean => !commands[command]![0].endsWith("s")

const textsOf = (values: Values): Texts =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [plain(key), textOf(value, ",")]))

/** The row of a task; those of a list of symbols. */
const rowsOf = (task: Values): ReadonlyArray<Texts> => {
  const command = commandOf(task)!
  const { [command]: given = null, ...others } = task
  const subjects = takesOne(command) && Array.isArray(given) ? given : [given]
  return subjects.map((subject) => ({ ...textsOf(others), command, subject: textOf(subject, " ") }))
}

/** The task of a row. Fields of other commands, which stay where the command is changed, are left out. */
const taskOf = (row: Texts) => {
  const command = row["command"]!
  const [only = null, ...others] = subjectsOf(row)
  const subject = others.length === 0 ? only : takesOne(command) ? [only, ...others].join(" ") : [only, ...others]
  return { [command]: subject, ...filled(row, keysOf(command)) }
}

/** A plan, of which a list of tasks alone is one too. */
const planned = (value: unknown) => (Array.isArray(value) ? { tasks: value } : value) as typeof Plan.Encoded

/** The plan of everything that is typed, as a text of JSON. */
const planOf = (space?: number) =>
  Schema.fromJsonString(Schema.Unknown, { space }).pipe(
    Schema.decodeTo(Plan, {
      decode: SchemaGetter.transform(planned),
      encode: SchemaGetter.transform((plan) => plan)
    }),
    Schema.decodeTo(State, {
      decode: SchemaGetter.transform(({ tasks, ...rest }) => ({
        settings: textsOf(rest as Values),
        tasks: tasks.flatMap(rowsOf)
      })),
      encode: SchemaGetter.transform(({ settings: texts, tasks }) => ({
        ...filled(texts, Object.keys(settings)),
        tasks: tasks.map(taskOf)
      }))
    })
  )

const inLink = planOf()

/** The plan as a file. */
export const file = Schema.encodeSync(planOf(2))

const decode = Schema.decodeUnknownResult(inLink)

/** Reads a plan of a text; fails with why the text is not a plan. */
export const read = (text: string): Result.Result<State, string> =>
  text.length > most.characters
    ? Result.fail(`it has ${text.length} characters, and may have ${most.characters}.`)
    : Result.mapError(
      decode(text),
      ({ message }) => `${message.replaceAll(/\s+/g, " ")}. A plan in YAML opens with \`marketdata planner FILE\`.`
    )

const prefix = "#plan="

/** The fragment of a link to what is typed. */
export const hash = (state: State): string => prefix + encodeURIComponent(Schema.encodeSync(inLink)(state))

/** Reads the fragment of a link; undefined if it is not a plan. A character takes at most nine when it is encoded. */
export const fromHash = (hash: string): Result.Result<State, string> | undefined =>
  !hash.startsWith(prefix)
    ? undefined
    : hash.length > 9 * most.characters
    ? read(hash)
    : Result.flatMap(
      Result.try({
        try: () => decodeURIComponent(hash.slice(prefix.length)),
        catch: () => "the link is damaged: it was cut off or changed on its way."
      }),
      read
    )

/** What a new page shows: a chain kept fresh, and quotes of stocks. */
export const example = Result.getOrThrow(read(`{
  "allowance": "100000 credits per day",
  "hit-rate": 0.9,
  "tasks": [
    { "chain": "SPX", "expiration": "all", "contracts": 22718, "mode": "cached", "max-age": "5min", "when": "every 1min",
      "fresh-within": "5min", "may-miss": true },
    { "chain": "AAPL", "dte": 30, "strike-limit": 25, "when": "every 15min" },
    { "stock quote": ["AAPL", "MSFT", "SPY"], "when": "every 10s from 9:30 to 10:30" }
  ]
}`))
