/** The verdicts of checks, the functions that make them of replies, and the words of their evidence. */
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as Result from "effect/Result"
import { type Exchange, field, isData, type Name, rowsOf, type Seen } from "./probes.ts"

export type Verdict =
  | { readonly _tag: "Holds" }
  | { readonly _tag: "Broken"; readonly evidence: string }
  | { readonly _tag: "NotShown"; readonly why: string }

/** A check of a clause: its question, the probes that it looks at, and its verdict. */
export interface Check {
  readonly clause: string
  readonly question: string
  readonly probes: ReadonlyArray<Name>
  readonly check: (seen: Seen<Name>) => Verdict
}

export const check = (question: string, clause: string, probes: ReadonlyArray<Name>, check: Check["check"]): Check => ({
  clause,
  question,
  probes,
  check
})

export const holds: Verdict = { _tag: "Holds" }

export const notShown = (why: string): Verdict => ({ _tag: "NotShown", why })

export const broken = (evidence: string): Verdict => ({ _tag: "Broken", evidence })

/** Holds unless there is a problem. Only for data that were there: a rule that was not shown does not hold. */
export const unless = (problem: string | undefined): Verdict => problem === undefined ? holds : broken(problem)

const first = (verdicts: ReadonlyArray<Verdict>, tag: Verdict["_tag"]): Verdict | undefined =>
  verdicts.find(({ _tag }) => _tag === tag)

/** A rule that each of several replies must show. */
export const all = (...verdicts: ReadonlyArray<Verdict>): Verdict =>
  first(verdicts, "Broken") ?? first(verdicts, "NotShown") ?? holds

/** A rule that any of several replies can show. */
export const any = (...verdicts: ReadonlyArray<Verdict>): Verdict =>
  first(verdicts, "Broken") ?? first(verdicts, "Holds") ?? first(verdicts, "NotShown") ?? notShown("nothing was asked")

export type Look = (reply: Exchange) => Verdict

/**
 * Whether a reply shows nothing about a rule, because the service is down or busy, or refuses the account. Without a token there is no account to be refused.
 */
const isAside = ({ status, token }: Exchange): boolean =>
  status >= 500 || status === 429 || token === "sent" && (status === 401 || status === 402 || status === 403)

/** Judges the reply to a probe, if there is one that shows something; the evidence names the request. */
export const judge = <Name extends string>(seen: Seen<Name>, name: Name, look: Look): Verdict => {
  const reply = seen.reply(name)
  if (reply === undefined) return notShown(seen.missing(name))
  if (isAside(reply)) return notShown(`${reply.request}: ${received(reply)}`)
  const verdict = look(reply)
  if (verdict._tag === "Broken") return broken(`${reply.request}: ${verdict.evidence}`)
  return verdict._tag === "NotShown" ? notShown(`${reply.request}: ${verdict.why}`) : verdict
}

/** A 404 in the words that the service has for it, and not the page of a server that knows no such path. */
const isAbsence = ({ json, status }: Pick<Exchange, "json" | "status">): boolean =>
  status === 404 && (field(json, "s") === "error" || field(json, "s") === "no_data")

/** Requests for the same cached chain: if one is answered, the service has it. */
const alike: ReadonlyArray<string> = ["cache", "stale", "hour", "minutes", "miss", "moment"] satisfies ReadonlyArray<
  Name
>

const isThere = <Name extends string>(seen: Seen<Name>, name: Name): boolean => {
  const chain = alike.includes(name) ? seen.reply("chain" as never) : undefined
  return chain !== undefined && isData(chain)
}

/** Judges the reply to a request that should be answered with data: the service may have none of what was asked about. */
export const judgeServed = <Name extends string>(seen: Seen<Name>, name: Name, look: Look): Verdict =>
  judge(seen, name, (reply) =>
    isAbsence(reply) && !isThere(seen, name)
      ? notShown(`${received(reply)}: the service has none of it, name another symbol`)
      : look(reply))

/** Judges the data of a reply; one without data shows nothing. */
export const judgeData = <Name extends string>(seen: Seen<Name>, name: Name, look: Look): Verdict =>
  judgeServed(seen, name, (reply) => isData(reply) ? look(reply) : notShown(`${received(reply)}, and no data`))

/** Judges the rows of a chain; one without rows shows nothing. */
export const judgeRows = <Name extends string>(seen: Seen<Name>, name: Name, look: Look): Verdict =>
  judgeData(seen, name, (reply) => rowsOf(reply) === 0 ? notShown("the chain names no contracts") : look(reply))

const eachBy = (judged: typeof judge) =>
(
  question: string,
  clause: string,
  probes: ReadonlyArray<Name>,
  look: (reply: Exchange, seen: Seen<Name>, name: Name) => Verdict
): Check =>
  check(
    question,
    clause,
    probes,
    (seen) => all(...probes.map((name) => judged(seen, name, (reply) => look(reply, seen, name))))
  )

/** A clause that each of some replies must keep, where they show something. */
export const each = eachBy(judge)

/** The same of replies to requests that should be answered with data. */
export const eachServed = eachBy(judgeServed)

/** The same of their data. */
export const eachData = eachBy(judgeData)

/** The most characters of a received value in evidence, which is one line, made printable by `ForeignText`. */
const longest = 120

/** The beginning of a text as evidence. It is cut before it is made printable, because a body may be long. */
export const excerpt = (text: string): string =>
  ForeignText.line(text.slice(0, 8 * longest).replaceAll(/\s+/g, " ").trim(), longest)

/** A value as evidence, or as a caller gave it. */
export const shown = (value: unknown): string =>
  value === undefined || typeof value === "number"
    ? String(value)
    : excerpt(Result.getOrElse(Result.try(() => JSON.stringify(value) ?? typeof value), () => typeof value))

/** What came back, as evidence. */
export const received = ({ status, text }: Pick<Exchange, "status" | "text">): string =>
  `received status ${status} with ${text.trim() === "" ? "an empty body" : excerpt(text)}`

/** Alternatives, as in "200, 203 or 204". */
export const either = (alternatives: ReadonlyArray<number | string>): string =>
  alternatives.length < 2
    ? alternatives.join("")
    : `${alternatives.slice(0, -1).join(", ")} or ${alternatives[alternatives.length - 1]}`

export const counted = (number: number, what: string): string =>
  `${number.toLocaleString("en-US")} ${what}${number === 1 ? "" : "s"}`

/** Why a status is wrong; undefined if it is one of those expected. */
export const otherStatus = (reply: Pick<Exchange, "status" | "text">, ...expected: ReadonlyArray<number>) =>
  expected.includes(reply.status) ? undefined : `expected status ${either(expected)}, ${received(reply)}`

/** Looks whether a reply has one of these statuses. */
export const hasStatus = (...expected: ReadonlyArray<number>): Look => (reply) =>
  unless(otherStatus(reply, ...expected))
