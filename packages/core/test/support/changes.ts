/** Ways to break what is asked, read and paid, for the faults of core and of the client alike. */
import { of, type Seam } from "./seam.ts"

const Billing = of(() => import("@effect-marketdata/core/Credits"))
// Read from the folder of the faults that use this, which is as deep in its package.
const Query = of(() => import("../../../core/src/query/query.ts"))
const Reply = of(() => import("@effect-marketdata/core/Reply"))

type Clauses = Seam["about"]
type Charged = typeof import("@effect-marketdata/core/Credits").charged
type Query = Parameters<Charged>[0]
type Outcome = Parameters<Charged>[1]
type Head = import("@effect-marketdata/core/Reply").Head
type Refused = Parameters<typeof import("@effect-marketdata/core/Reply").refusal>[1]

/** The address of a query has one text for another. */
export const written = (clauses: Clauses, text: string | RegExp, other: string): Seam =>
  Query.target(clauses, (target) => (query) => target(query).replace(text, other))

/** Another query is sent than was asked. */
export const sent = (clauses: Clauses, change: (query: Query) => Query): Seam =>
  Query.target(clauses, (target) => (query) => target(change(query)))

/** The head of a reply is read otherwise. */
export const headed = (clauses: Clauses, change: (head: Head) => Head): Seam =>
  Reply.head(clauses, (head) => (reply) => change(head(reply)))

/** A reply is taken for one with another head, or to another query. */
export const taken = (clauses: Clauses, change: (query: Query, head: Head) => readonly [Query, Head]): Seam =>
  Reply.outcome(clauses, (outcome) => (query, head, ...reply) => outcome(...change(query, head), ...reply))

/** A refusal is read as if it had come otherwise. */
export const refused = (clauses: Clauses, change: (head: Head, reply: Refused) => readonly [Head, Refused]) =>
  Reply.refusal(clauses, (refusal) => (head, reply) => refusal(...change(head, reply)))

/** A refusal is taken for one of another status. */
export const mistaken = (clauses: Clauses, status: number, other: number): Seam =>
  refused(clauses, (head, reply) => [head.status === status ? { ...head, status: other } : head, reply])

/** The words of a refusal are not known. */
export const unknown = (clauses: Clauses, words: string): Seam =>
  refused(clauses, (head, reply) => [head, { ...reply, text: reply.text.replace(words, "") }])

/** The charge is made of something else than the reply held. */
export const counted = (clauses: Clauses, change: (outcome: Outcome) => Outcome): Seam =>
  Billing.charged(clauses, (charged) => (query, outcome, assume) => charged(query, change(outcome), assume))

/** Where there is another price, that is charged. */
export const priced = (clauses: Clauses, price: (outcome: Outcome, query: Query) => number | undefined): Seam =>
  Billing.charged(clauses, (charged) => (query, outcome, assume) => {
    const charge = charged(query, outcome, assume)
    return { ...charge, credits: price(outcome, query) ?? charge.credits }
  })
