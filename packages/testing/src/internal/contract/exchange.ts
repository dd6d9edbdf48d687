/** What a check is told, and what it can say: the replies that were seen, and its verdict on them. */
import type * as Profile from "@effect-marketdata/core/Profile"
import * as Predicate from "effect/Predicate"

/** What is asked about, and by whose reading it is judged. */
export interface Setting {
  readonly profile: Profile.Profile
  readonly underlying: string
  readonly tickers: readonly [string, string]
  readonly demo: string
}

/** A reply, as far as checks look at it. `credits` is what the service says that it consumed. */
export interface Exchange {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  readonly json: unknown
  readonly credits: number | undefined
}

/** What was seen so far: each reply by the name of its probe, and the time that the service goes by, in epoch seconds. */
export interface Seen<Name extends string = string> {
  readonly setting: Setting
  readonly now: number
  readonly reply: (name: Name) => Exchange | undefined
}

export type Verdict =
  | { readonly _tag: "Holds" }
  | { readonly _tag: "Broken"; readonly evidence: string }
  | { readonly _tag: "NotShown"; readonly why: string }

const holds: Verdict = { _tag: "Holds" }

export const notShown = (why: string): Verdict => ({ _tag: "NotShown", why })

const broken = (evidence: string): Verdict => ({ _tag: "Broken", evidence })

/** A rule holds where nothing speaks against it: `problem` is what does. */
export const unless = (problem: string | undefined): Verdict => problem === undefined ? holds : broken(problem)

/** The first verdict that is worse than all is well; a broken rule is worse than one that was not shown. */
export const all = (...verdicts: ReadonlyArray<Verdict>): Verdict =>
  verdicts.find(({ _tag }) => _tag === "Broken") ?? verdicts.find(({ _tag }) => _tag === "NotShown") ?? holds

/** A service that is down, busy, or refuses this account as such shows nothing of the rule that was asked about. */
const isElsewhere = ({ status }: Exchange): boolean => status >= 500 || status === 429 || status === 403

/** Judges the reply to a probe, where there is one that can show something. */
export const judge = <Name extends string>(
  seen: Seen<Name>,
  name: Name,
  problem: (reply: Exchange) => string | undefined
): Verdict => {
  const reply = seen.reply(name)
  if (reply === undefined) return notShown(`${name} was not answered`)
  return isElsewhere(reply) ? notShown(`${name} was answered with ${reply.status}`) : unless(problem(reply))
}

export const isData = ({ status }: Pick<Exchange, "status">): boolean => status === 200 || status === 203

/** Judges the data of a reply; one without data shows nothing. */
export const judgeData = <Name extends string>(
  seen: Seen<Name>,
  name: Name,
  problem: (reply: Exchange) => string | undefined
): Verdict => {
  const reply = seen.reply(name)
  if (reply !== undefined && !isElsewhere(reply) && !isData(reply)) {
    return notShown(`${name} was answered with ${reply.status}, without data`)
  }
  return judge(seen, name, problem)
}

/** A field of a body that is an object. */
export const field = (body: unknown, name: string): unknown =>
  Predicate.hasProperty(body, name) ? body[name] : undefined

/** A field of a body that is an array, or else nothing. */
export const column = (body: unknown, name: string): ReadonlyArray<unknown> => {
  const value = field(body, name)
  return Array.isArray(value) ? value : []
}

/** A body as evidence: its beginning, in one line. */
export const excerpt = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ").trim()
  return line === "" ? "an empty body" : line.length > 120 ? `${line.slice(0, 120)}…` : line
}

/** What speaks against a status, where it is none of those expected. */
export const otherStatus = ({ status, text }: Exchange, ...expected: ReadonlyArray<number>): string | undefined =>
  expected.includes(status)
    ? undefined
    : `expected status ${expected.join(" or ")}, received ${status}: ${excerpt(text)}`
