/**
 * What the planner holds, as texts, and the plan that it is: the same JSON is the file that `marketdata plan` reads, and what stands behind `#plan=` in
 * a link. JSON is a part of YAML, so that the page needs no reader of its own: `marketdata planner FILE` opens what is written otherwise.
 */
import * as Data from "effect/Data"
import * as Problem from "@effect-marketdata/core/Problem"
import * as Result from "effect/Result"
import { own, settings } from "../plans/rules.ts"
import { endpoints } from "./endpoints.ts"

/** A row: a command that asks, its argument, and fields as they are typed, by their keys in a plan. */
export interface Row {
  readonly endpoint: string
  readonly subject: string
  readonly texts: Readonly<Record<string, string>>
}

/** Everything that is typed. */
export interface State {
  readonly rows: ReadonlyArray<Row>
  readonly texts: Readonly<Record<string, string>>
}

/** Why a text is no plan that the page can hold. */
export class NotAPlan extends Data.TaggedError("NotAPlan")<{ readonly message: string }> {}

/** More than anybody plans on a page, and few enough to be priced while they are typed. */
const most = { rows: 20, characters: 100_000 }

const refuse = (subject: string, rule: string, example: string) =>
  Result.fail(new NotAPlan({ message: Problem.format(subject, { rule, example }) }))

/** What is a text, however it looks. */
const isText = new Set(["name", "when", "fresh-within"])

/** A text as a plan has it: a number or a yes where it is written so. */
const valueOf = (key: string, text: string): string | number | boolean =>
  isText.has(key)
    ? text
    : text === "true" || text === "false"
    ? text === "true"
    : /^\d/.test(text) && String(Number(text)) === text && Number.isFinite(Number(text))
    ? Number(text)
    : text

/** The symbols that an argument names, which commas or blanks divide. */
export const subjectsOf = (text: string): ReadonlyArray<string> => text.split(/[\s,]+/).filter((word) => word !== "")

const filled = (texts: Readonly<Record<string, string>>, keys: ReadonlyArray<string>) =>
  keys.flatMap((key) => {
    const text = (texts[key] ?? "").trim()
    return text === "" ? [] : [[key, valueOf(key, text)] as const]
  })

/** The keys that a row of an endpoint may have. */
const keysOf = (endpoint: string): ReadonlyArray<string> => [
  ...Object.keys(own),
  ...endpoints[endpoint]!.fields.map(({ key }) => key)
]

/** Whether a command asks for one symbol; a list of them is a task for each. */
const takesOne = (endpoint: string): boolean =>
  Object.hasOwn(endpoints, endpoint) && !endpoints[endpoint]!.argument.endsWith("s")

/** The plan, as a value of JSON. Fields of other endpoints, which stay where the endpoint is changed, are left out. */
export const plan = ({ rows, texts }: State): object => ({
  ...Object.fromEntries(filled(texts, Object.keys(settings))),
  tasks: rows.map(({ endpoint, subject, texts }) => {
    const subjects = subjectsOf(subject)
    const [only] = subjects
    return {
      [endpoint]: subjects.length > 1 ? takesOne(endpoint) ? subjects.join(" ") : subjects : only ?? null,
      ...Object.fromEntries(filled(texts, keysOf(endpoint)))
    }
  })
})

/** The plan as a file: a task a line. */
export const file = (state: State): string => {
  const { tasks, ...rest } = plan(state) as { readonly tasks: ReadonlyArray<object> }
  const settings = Object.entries(rest).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`)
  return `{\n${settings.join("")}  "tasks": [\n${
    tasks.map((task) => `    ${JSON.stringify(task)}`).join(",\n")
  }\n  ]\n}\n`
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The text of a plain value, or of a list of them; undefined for others. */
const textOf = (value: unknown, between: string): string | undefined => {
  if (value === null) return ""
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value)
  const texts = Array.isArray(value) ? value.map((item) => Array.isArray(item) ? undefined : textOf(item, between)) : []
  return Array.isArray(value) && texts.every((text) => text !== undefined) ? texts.join(between) : undefined
}

/** `strikeLimit` is `strike-limit`, as in every plan. */
const plain = (key: string): string => key.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)

const shownKey = (key: string): string => `\`${key.slice(0, 40)}\``

/** Reads the texts of keys. */
const textsOf = (of: string, entries: ReadonlyArray<readonly [string, unknown]>, keys: ReadonlyArray<string>) =>
  Result.gen(function*() {
    const texts: Record<string, string> = {}
    for (const [key, value] of entries) {
      const text = textOf(value, ",")
      if (!keys.includes(plain(key))) {
        const meant = Problem.nearest(key, keys)
        return yield* refuse(`${of}: ${shownKey(key)}`, "must be an option that it has", meant ?? keys.join(", "))
      }
      if (text === undefined) return yield* refuse(`${of}: ${shownKey(key)}`, "must be a value", "\"every 1min\"")
      texts[plain(key)] = text
    }
    return texts
  })

/** The tasks of a task. */
const apart = (task: unknown): ReadonlyArray<unknown> => {
  const list = isMap(task)
    ? Object.entries(task).find(([key, value]) => takesOne(key) && Array.isArray(value))
    : undefined
  return list === undefined || !isMap(task)
    ? [task]
    : (list[1] as ReadonlyArray<unknown>).map((one) => ({ ...task, [list[0]]: one }))
}

const rowOf = (task: unknown, index: number): Result.Result<Row, NotAPlan> =>
  Result.gen(function*() {
    const of = `task ${index + 1}`
    if (!isMap(task)) return yield* refuse(of, "must be a map with a query", `{ "chain": "SPX" }`)
    const entries = Object.entries(task)
    const queries = entries.filter(([key]) => Object.hasOwn(endpoints, key))
    const [query, second] = queries
    if (query === undefined || second !== undefined) {
      return yield* refuse(of, `must have one query; there are ${Object.keys(endpoints).join(", ")}`, `"chain": "SPX"`)
    }
    const [endpoint, value] = query
    const subject = textOf(value, " ")
    if (subject === undefined) {
      return yield* refuse(`${of}: ${endpoint}`, "must be a symbol, or a list of symbols", "SPX")
    }
    const texts = yield* textsOf(of, entries.filter((entry) => entry !== query), keysOf(endpoint))
    return { endpoint, subject, texts }
  })

/** Reads a plan of a value of JSON. */
export const fromPlan = (value: unknown): Result.Result<State, NotAPlan> =>
  Result.gen(function*() {
    const { tasks: given, ...rest } = Array.isArray(value)
      ? { tasks: value }
      : isMap(value)
      ? value
      : { tasks: undefined }
    const tasks = Array.isArray(given) ? given.flatMap(apart) : []
    if (tasks.length === 0 || tasks.length > most.rows) {
      return yield* refuse(
        "a plan",
        `must have \`tasks\`, a list of 1 to ${most.rows}`,
        `{ "tasks": [{ "chain": "SPX" }] }`
      )
    }
    const texts = yield* textsOf("a plan", Object.entries(rest), Object.keys(settings))
    return { texts, rows: yield* Result.all(tasks.map(rowOf)) }
  })

/** Reads a plan of a text. */
export const read = (text: string): Result.Result<State, NotAPlan> => {
  if (text.length > most.characters) {
    return refuse(
      `a plan of ${text.length} characters`,
      `must have at most ${most.characters}`,
      "the plan of one program"
    )
  }
  return Result.flatMap(
    Result.try({
      try: (): unknown => JSON.parse(text),
      catch: () =>
        new NotAPlan({
          message:
            "this is no JSON. A plan in YAML opens with `marketdata planner FILE`; what this page exports is JSON."
        })
    }),
    fromPlan
  )
}

const prefix = "#plan="

/** What stands behind the address of the page in a link to what is typed. */
export const hash = (state: State): string => `${prefix}${encodeURIComponent(JSON.stringify(plan(state)))}`

/** Reads what stands behind the address; undefined where that is no plan at all. */
export const fromHash = (hash: string): Result.Result<State, NotAPlan> | undefined => {
  if (!hash.startsWith(prefix)) return undefined
  // Each character is written as nine at most.
  if (hash.length > 9 * most.characters) return read(hash)
  return Result.flatMap(
    Result.try({
      try: () => decodeURIComponent(hash.slice(prefix.length)),
      catch: () => new NotAPlan({ message: "the link is damaged: it was cut off or changed on its way." })
    }),
    read
  )
}

/** What a new page shows: a chain kept fresh, and quotes of stocks. */
export const example: State = {
  texts: { "allowance": "100000 credits per day", "hit-rate": "0.9" },
  rows: [
    {
      endpoint: "chain",
      subject: "SPX",
      texts: {
        expiration: "all",
        contracts: "22718",
        mode: "cached",
        "max-age": "5min",
        when: "every 1min",
        "fresh-within": "5min",
        "may-miss": "true"
      }
    },
    { endpoint: "chain", subject: "AAPL", texts: { dte: "30", "strike-limit": "25", when: "every 15min" } },
    { endpoint: "stock quote", subject: "AAPL, MSFT, SPY", texts: { when: "every 10s from 9:30 to 10:30" } }
  ]
}
