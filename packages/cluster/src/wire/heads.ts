/**
 * Decodes the heads of usual answers without their schema, which takes longer than the rest of a small answer. Any other head is left to the schema, which
 * decodes it or says what is wrong with it.
 */
import * as Answers from "@effect-marketdata/core/Answer"
import type { Answer, Attempt } from "@effect-marketdata/core/Answer"
import type { Charge, Estimate } from "@effect-marketdata/core/Credits"
import type { Provenance } from "@effect-marketdata/core/Provenance"

/** Decodes a head; undefined if it is unusual. */
export const read = (text: string): Answer<null> | undefined => {
  try {
    return answer(record(JSON.parse(text)))
  } catch {
    return undefined
  }
}

type Fields = Readonly<Record<string, unknown>>

type Read<A> = (value: unknown) => A

/** Leaves the head to the schema. */
const unusual = (): never => {
  throw new Error("the head is unusual")
}

const record = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value as Fields : unusual()

const text = (value: unknown): string => typeof value === "string" ? value : unusual()

const number = (value: unknown): number => typeof value === "number" && Number.isFinite(value) ? value : unusual()

const integer = (value: unknown): number => Number.isSafeInteger(value) ? Number(value) : unusual()

const positive = (value: number): number => value >= 0 ? value : unusual()

const amount = (value: unknown): number => value === "Infinity" ? Infinity : positive(number(value))

const list = <A>(value: unknown, one: Read<A>): ReadonlyArray<A> => Array.isArray(value) ? value.map(one) : unusual()

const maybe = <A>(value: unknown, read: Read<A>): A | undefined => value === undefined ? undefined : read(value)

const oneOf = <const A>(values: ReadonlyArray<A>): Read<A> => (value) => {
  const found = values.indexOf(value as A)
  return found < 0 ? unusual() : values[found]!
}

const status = oneOf([200, 203])
const source = oneOf(["provider", "cache", "local"])
const requestedMode = oneOf(["Live", "Delayed", "Cached", "CachedOrLive", "Eod", "Historical"])
const sentMode = oneOf(["live", "delayed", "cached", "eod", "historical"])

const assumption = (value: unknown) => {
  const { name, value: told } = record(value)
  return { name: text(name), value: text(told) }
}

const estimate = (value: unknown): Estimate => {
  const { _tag, assumptions, clause, credits, max, min, movedBy } = record(value)
  const terms = { clause: text(clause), assumptions: list(assumptions, assumption) }
  if (_tag === "Exact") return { _tag, credits: positive(number(credits)), ...terms }
  const [least, most] = [positive(number(min)), number(max)]
  return _tag === "Range" && least <= most
    ? { _tag, min: least, max: most, movedBy: text(movedBy), ...terms }
    : unusual()
}

const provenance = (value: unknown): Provenance => {
  const fields = record(value)
  const span = (value: unknown) => {
    const { newest, oldest } = record(value)
    return { oldest: number(oldest), newest: number(newest) }
  }
  return {
    status: status(fields["status"]),
    source: source(fields["source"]),
    ...fields["age"] === undefined ? {} : { age: number(fields["age"]) },
    requestedMode: maybe(fields["requestedMode"], requestedMode),
    sentMode: maybe(fields["sentMode"], sentMode),
    updated: maybe(fields["updated"], span),
    receivedAt: number(fields["receivedAt"]),
    requestId: maybe(fields["requestId"], text)
  }
}

const charge = (value: unknown): Charge => {
  const { assumptions, clause, computed, credits, finding, reported, uncertain } = record(value)
  return {
    credits: positive(number(credits)),
    uncertain: amount(uncertain),
    reported: maybe(reported, number),
    computed: maybe(computed, number),
    finding: maybe(finding, unusual),
    clause: text(clause),
    assumptions: list(assumptions, assumption)
  }
}

const attempt = (value: unknown): Attempt => {
  const fields = record(value)
  return Answers.makeAttempt({
    target: text(fields["target"]),
    status: maybe(fields["status"], integer),
    charge: maybe(fields["charge"], charge),
    uncertain: amount(fields["uncertain"]),
    repeats: positive(integer(fields["repeats"])),
    elsewhere: positive(number(fields["elsewhere"])),
    reason: maybe(fields["reason"], unusual)
  })
}

const answer = ({ credits, data, findings, provenance: origin, trace }: Fields): Answer<null> => {
  const { charged, estimate: estimated, uncertain } = record(credits)
  return Answers.make({
    data: data === null ? data : unusual(),
    findings: list(findings, unusual),
    provenance: provenance(origin),
    credits: { estimate: estimate(estimated), charged: positive(number(charged)), uncertain: amount(uncertain) },
    trace: list(trace, attempt)
  })
}
