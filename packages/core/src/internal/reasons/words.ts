import * as Schema from "effect/Schema"
import { quote } from "../../ForeignText.ts"

/** What the service said in words, bounded; empty where it said nothing readable. */
export const Body = Schema.String

/** Quotes what the service said, if anything. */
export const said = (body: string): string => body === "" ? "" : ` (it said ${quote(body)})`

/** How long the service asks to be left alone, in seconds, where it says so. */
export const RetryAfter = Schema.optional(Schema.Finite)

/** Says when to come back, if the service says so. */
export const after = (seconds: number | undefined): string =>
  seconds === undefined ? "" : `, and not before ${seconds} seconds have passed`

/** What a request cost of which the contract says that it is free. */
export const free = ". Nothing was charged"

/** What a request cost of which the contract does not say so. */
export const taken = ". The service does not state what that costs; it is taken to be free"
