/** The keys of a plan and of a task besides the queries, for plan files and the planner: the rule of each, and how it is read. */
import { Account, DurationText, type Problem, Query, WorkloadSchedule } from "@effect-marketdata/core"
import { Duration, Option } from "effect"

/** Refuses a query of a day that is not past when a schedule asks for it the last time. */
export const checkDay = (query: Query.Query, schedule: WorkloadSchedule.Runs) =>
  Query.checkDate(query, WorkloadSchedule.span(schedule).last)

export const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== ""

const isDuration = (value: unknown): value is string => isText(value) && Option.isSome(DurationText.parse(value))

/** Reads an allowance: `100000 credits per day`, `500 per minute`, `10000`. */
export const allowanceOf = (value: unknown): Account.Allowance | undefined => {
  const text = typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : ""
  const [, credits, window = "none"] =
    /^(\d{1,3}(?:,\d{3})+|\d{1,15})(?:\s+credits?)?(?:\s+(?:per|a|each)\s+(day|minute))?$/.exec(text) ?? []
  return credits === undefined
    ? undefined
    : { credits: Number(credits.replaceAll(",", "")), window: window as Account.Window }
}

/** The account of a plan of the service, or of a professional user; undefined for any other word. */
export const accountOf = (value: unknown): Account.Account | undefined =>
  value === "paid" || value === "trial" || value === "free"
    ? Account.make({ plan: value, user: Account.nonProfessional("realTime") })
    : value === "professional"
    ? Account.make({ plan: "paid", user: Account.professional })
    : undefined

const isAccount = (value: unknown): value is string => accountOf(value) !== undefined

/** The rule of a key: a test, and its words. */
export interface Rule<A> extends Problem.Problem {
  readonly is: (value: unknown) => value is A
}

/** What a plan says besides its tasks. */
export const settings = {
  allowance: {
    is: (value): value is string | number => allowanceOf(value) !== undefined,
    rule: "must be credits, per day or per minute where they come back",
    example: "100000 credits per day"
  },
  account: { is: isAccount, rule: "must be paid, trial, free or professional", example: "trial" },
  "hit-rate": {
    is: (value): value is number => typeof value === "number" && value >= 0 && value <= 1,
    rule: "must be the share of cached requests that hit, from 0 to 1",
    example: "0.9"
  }
} satisfies Rules

/** What a task says besides its query. */
export const own = {
  name: { is: isText, rule: "must be a string", example: "the closes" },
  when: { is: isText, rule: "must be a schedule", example: "every 1min" },
  "fresh-within": { is: isDuration, rule: "must be a duration", example: "5min" },
  "may-miss": { is: (value) => typeof value === "boolean", rule: "must be true or false", example: "true" }
} satisfies Rules

export type Rules = Readonly<Record<string, Rule<unknown>>>

/** The values of keys that keep their rules. */
export type Kept<Own extends Rules> = { readonly [Key in keyof Own]?: Own[Key] extends Rule<infer A> ? A : never }

/** How fresh data have to be; undefined if a task does not say. */
export const needOf = (within: string | undefined, mayMiss: boolean) =>
  within === undefined ? undefined : {
    seconds: Option.match(DurationText.parse(within), { onNone: () => 0, onSome: Duration.toSeconds }),
    mayMiss
  }

const squeezed = (name: string): string => name.replace(/^(?:--|assume\.)/, "").replaceAll("-", "").toLowerCase()

/** The key of the option that a query refuses, whose name may be that of a parameter of the service. */
export const keyOf = (parameter: string, keys: ReadonlyArray<string>): string | undefined => {
  const name = squeezed(parameter)
  return keys.find((key) => squeezed(key) === name) ??
    keys.find((key) => key !== "" && name.startsWith(squeezed(key)))
}

/** The message of an invalid query without its last sentence: reading a plan sends nothing in any case. */
export const messageOf = ({ message }: { readonly message: string }): string =>
  message.replace(/ Nothing was sent\.$/, "")
