/** The verdicts of checks, and the functions that make them of replies. */
import { type Exchange, field, isData, rowsOf, type Seen } from "./exchange.ts"
import type { Name } from "./probes.ts"
import * as Words from "./words.ts"

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
  if (isAside(reply)) return notShown(`${reply.request}: ${Words.received(reply)}`)
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

/** The same of a request that should be answered with data: the service may have none of what was asked about. */
export const judgeServed = <Name extends string>(seen: Seen<Name>, name: Name, look: Look): Verdict =>
  judge(seen, name, (reply) =>
    isAbsence(reply) && !isThere(seen, name)
      ? notShown(`${Words.received(reply)}: the service has none of it, name another symbol`)
      : look(reply))

/** Judges the data of a reply; one without data shows nothing. */
export const judgeData = <Name extends string>(seen: Seen<Name>, name: Name, look: Look): Verdict =>
  judgeServed(seen, name, (reply) => isData(reply) ? look(reply) : notShown(`${Words.received(reply)}, and no data`))

/** Judges the rows of a chain; one without rows shows nothing. */
export const judgeRows = <Name extends string>(seen: Seen<Name>, name: Name, look: Look): Verdict =>
  judgeData(seen, name, (reply) => rowsOf(reply) === 0 ? notShown("the chain names no contracts") : look(reply))

/** A clause that each of some replies must keep, as they are judged. */
export const eachBy = (judged: typeof judge) =>
(
  question: string,
  clause: string,
  probes: ReadonlyArray<Name>,
  look: (reply: Exchange, seen: Seen<Name>, name: Name) => Verdict
): Check => ({
  clause,
  question,
  probes,
  check: (seen) => all(...probes.map((name) => judged(seen, name, (reply) => look(reply, seen, name))))
})
