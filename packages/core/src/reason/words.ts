/** The words of messages: amounts and times, and what makes the classes of reasons, with their message, retryability and cost. */
import * as Schema from "effect/Schema"
import { quote } from "../text/ForeignText.ts"
import { optional } from "../text/json.ts"
import * as Problem from "../text/Problem.ts"

/** A number with its thousands apart. */
export const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ",")

/** A number with its noun: `1 credit`, `2,000 credits`. */
export const counted = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`

/** A number of credits with its unit. */
export const formatCredits = (credits: number | undefined): string =>
  typeof credits === "number" ? counted(credits, "credit") : "not stated"

/** Credits from a least number to a most one. */
export const formatRange = (least: number, most: number): string =>
  least === most ? formatCredits(least) : `${grouped(least)} to ${formatCredits(most)}`

const units = [["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]] as const

/** How long ago something was, in its largest whole unit: `3 minutes ago`. */
export const ago = (seconds: number): string => {
  const unit = units.find(([, size]) => seconds >= size)
  return unit === undefined ? "just now" : `${counted(Math.floor(seconds / unit[1]), unit[0])} ago`
}

/**
 * What a failure cost. If the service said what the reply was charged, that decides, and the message says the same as the trace.
 *
 * - `none`: nothing was sent, or it is free by the contract or by the service's figure
 * - `notStated`: the contract does not say; 0 is a named assumption, and the service's figure replaces it (clause 7.1-charge-not-stated)
 * - `possible`: it may have been charged, and nobody can tell
 * - `full`: it was charged
 *
 * @category models
 * @since 0.1.0
 */
export type Cost = "none" | "notStated" | "possible" | "full"

/** The cost of a failure, and its words. */
type Paid = readonly [cost: Cost, words: string]

/** What failures cost where the service gives no figure. */
const costs = {
  /** Nothing was sent. */
  unsent: ["none", "Nothing was sent"],
  /** An earlier request of the same query was sent. */
  earlier: ["possible", "It was not retried; an earlier request may have been charged"],
  /** The contract says that it is free. */
  free: ["none", "Nothing was charged"],
  /** The reply does not say, or there is no reply. */
  possible: ["possible", "The request may have been charged"],
  /** The contract does not say that it is free. */
  taken: ["notStated", "The service states no price for this; it counts as free"]
} as const satisfies Readonly<Record<string, Paid>>

/** One of these by its name, or another. */
type Price = keyof typeof costs | Paid

/** What the service said in words, bounded; empty where it said nothing readable. */
export const Body = Schema.String

/** How long the service asks to wait, in seconds, if it says so. */
export const RetryAfter = /* @__PURE__ */ optional(Schema.Finite)

/** Whether an earlier request of the same query was sent: `true` if one may have been charged, `"free"` if none of them was. */
export const WasSent = /* @__PURE__ */ optional(/* @__PURE__ */ Schema.Literals([true, false, "free"]))

/** What the reply was charged, in credits, where that is known: it is recorded, and the message says the same. */
const Charged = /* @__PURE__ */ optional(Schema.Finite)

/**
 * Options that, all together, bring a query under a budget, and the most credits that it may cost with them. An option that has to be left out is
 * null.
 *
 * @category models
 * @since 0.1.0
 */
export interface Advice {
  readonly options: { readonly [option: string]: string | number | null | { readonly [assumed: string]: number } }
  readonly cost: number
}

/** Advice, as it is stored. */
export const Advice: Schema.Codec<Advice> = /* @__PURE__ */ Schema.Struct({
  options: /* @__PURE__ */ Schema.Record(
    Schema.String,
    /* @__PURE__ */ Schema.Union([
      Schema.String,
      Schema.Finite,
      Schema.Null,
      /* @__PURE__ */ Schema.Record(Schema.String, Schema.Finite)
    ])
  ),
  cost: Schema.Finite
})

/**
 * Prints the options of advice as code, sorted by name, because not every encoding keeps the order of a record.
 *
 * @category formatting
 * @since 0.1.0
 */
export const formatAdvice = (advice: Pick<Advice, "options">): string =>
  Object.entries(known(advice).options).map(([option, value]) => `${option}: ${literal(option, value)}`).toSorted()
    .join(", ")

const known = /* @__PURE__ */ Problem.guard("piece of advice", "{ options: { dte: 30 } }", { options: {} })

const literal = (option: string, value: Advice["options"][string]): string => {
  if (value === null) return "undefined"
  if (typeof value !== "object") return option === "mode" ? `DataMode.${value}()` : JSON.stringify(value)
  return `{ ${Object.entries(value).map(([assumed, count]) => `${assumed}: ${count}`).toSorted().join(", ")} }`
}

/**
 * The sentences of a message, without their full stops: what happened, the words of the service if it said any, what to do, and what it cost. A
 * sentence that the message does not have is empty.
 *
 * @category models
 * @since 0.1.0
 */
export interface Said {
  readonly what: string
  readonly words: string
  readonly advice: string
  readonly cost: string
}

/**
 * Prints the sentences of a message as one text. The text of a cause may end with a full stop of its own.
 *
 * @category formatting
 * @since 0.1.0
 */
export const formatSaid = ({ advice, cost, what, words }: Said): string =>
  [words === "" ? what : `${what} (it said ${words})`, advice, cost].filter((text) => text !== "").map((text) =>
    `${text.replace(/\.$/, "")}.`
  ).join(" ")

/** The properties of every reason in addition to its fields and message. */
export interface Told {
  /** Whether asking again can help. */
  readonly isRetryable: boolean
  readonly cost: Cost
  /** The message as its sentences, for programs that have better advice of their own. */
  readonly said: Said
}

/** A constant of all reasons of a kind, or a function of the fields of one. */
type By<Fields, A> = A | ((self: Fields) => A)

const by = <Fields, A extends boolean | string | object>(told: By<Fields, A>, self: Fields): A =>
  typeof told === "function" ? told(self) : told

const paid = <Fields>(told: By<Fields, Price>, self: Fields): Paid => {
  const price = by(told, self)
  return typeof price === "string" ? costs[price] : price
}

/** What a kind of reason says. */
type Says<Fields> = By<Fields, Omit<Said, "words" | "cost">>

/** Whether a kind of reason is retryable, which is false by default; and its cost if the service gave no figure. */
interface Kind<Fields> {
  readonly retryable?: By<Fields, boolean>
  readonly otherwise?: By<Fields, Price>
}

/** Fields that some reasons have: the message of the service, and the charge of the reply. */
interface Reported {
  readonly body?: string | undefined
  readonly charged?: number | undefined
}

const getter = <Self>(of: (self: Self) => unknown): PropertyDescriptor => ({
  get(this: Self) {
    return of(this)
  }
})

/** Adds the properties of every reason to a class. They are computed from the fields, so that they are the same after storing. */
const telling = <Class, Fields>(
  base: Class,
  says: Says<Fields>,
  price: By<Fields, Price>,
  retryable: By<Fields, boolean> = false
): Class => {
  if (typeof base === "function") {
    Object.defineProperties(base.prototype, {
      isRetryable: getter((self: Fields) => by(retryable, self)),
      cost: getter((self: Fields) => paid(price, self)[0]),
      said: getter((self: Fields & Reported): Said => {
        const { advice, what } = by(says, self)
        const [, cost] = paid(price, self)
        return { what, words: self.body ? quote(self.body) : "", advice, cost }
      }),
      message: getter(({ said }: Told) => formatSaid(said))
    })
  }
  return base
}

/** Makes the class of a reason without a reply. By default nothing was sent. */
export const reason = <Self>() =>
<Tag extends string, const Fields extends Schema.Struct.Fields>(
  tag: Tag,
  fields: Fields,
  says: Says<Schema.Struct.Type<Fields>>,
  { otherwise = "unsent", retryable }: Kind<Schema.Struct.Type<Fields>> = {}
) => telling(Schema.TaggedError<Self, Told>()(tag, fields), says, otherwise, retryable)

/** Makes the class of a reason of a reply, or of its loss. Its cost is the service's figure, or else `otherwise`. */
export const ofReply = <Self>() =>
<Tag extends string, const Fields extends Schema.Struct.Fields>(
  tag: Tag,
  fields: Fields,
  says: Says<Schema.Struct.Type<Fields>>,
  { otherwise = "taken", retryable }: Kind<Schema.Struct.Type<Fields>> = {}
) =>
  telling(
    Schema.TaggedError<Self, Told>()(tag, { ...fields, charged: Charged }),
    says,
    (self: Schema.Struct.Type<Fields> & Reported): Price => {
      if (self.charged === undefined) return by(otherwise, self)
      return self.charged === 0 ? "free" : ["full", `It was charged ${formatCredits(self.charged)}`]
    },
    retryable
  )
