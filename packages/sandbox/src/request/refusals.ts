import * as Profile from "@effect-marketdata/core/Profile"
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Result from "effect/Result"

/**
 * A reply without data: its status, and what its body may say. How the body is written, and which of these fields it has, is the
 * profile's to decide.
 */
export interface Refusal {
  readonly status: number
  /** Whether it is about data that are not there, rather than about a mistake. */
  readonly isAboutData: boolean
  readonly fields: Readonly<Record<string, string | number | null>>
  readonly headers: Readonly<Record<string, string>>
}

const make = (status: number, errmsg: string, fields: Refusal["fields"] = {}): Refusal => ({
  status,
  isAboutData: false,
  fields: { errmsg, ...fields },
  headers: {}
})

const absent = (errmsg: string, fields?: Refusal["fields"]): Refusal => ({
  ...make(404, errmsg, fields),
  isAboutData: true
})

const guide = (page: string) => ({ troubleshootingGuide: `/docs/api/troubleshooting/${page}` })

/** The fields of the body in order: of those that the profile knows, the ones that are said. */
export const fieldsOf = (
  { fields, isAboutData }: Refusal,
  profile: Profile.Profile
): ReadonlyArray<readonly [name: string, value: string | number | null]> => {
  const s = isAboutData ? Profile.get(profile, "noDataStatus") : "error"
  const known: ReadonlyArray<string> = Profile.get(profile, "errorFields")
  const said = { s, ...fields }
  // Without data the public service names the times around, and has no words for it.
  const wordless = profile === "public" && "nextTime" in fields
  return Object.entries(said).filter(([name]) => known.includes(name) && !(wordless && name === "errmsg"))
}

/** A request that cannot be read, in words of the sandbox's own (clause 7.1-400). */
export const badRequest = (errmsg: string): Refusal => make(400, errmsg)

/** What core refuses to ask, refused for the same reason. */
const ofQuery = ({ against = "", limit = "", parameter, rule, value }: InvalidQuery): Refusal =>
  parameter === "optionSymbol"
    ? invalidOptionSymbol
    : badRequest(`Invalid ${parameter} ${value}: ${rule}${against && ` ${against}`}${limit && ` (${limit})`}.`)

/** A query that core takes, or its refusal. */
export const query = <A>(result: Result.Result<A, InvalidQuery>): Result.Result<A, Refusal> =>
  Result.mapError(result, ofQuery)

/** The body is the contract's (clause 7.3-symbol-errmsg). */
const invalidOptionSymbol = badRequest("Invalid option symbol. Use valid OCC symbology for the option symbol.")

/** The body is the contract's (clause 7.3-date-errmsg). */
export const invalidDate = badRequest("Invalid date. The date parameter is used for historical queries only.")

export const dateWithRange = badRequest("Invalid date. Use either date, or from and to.")

export const dteWithRange = badRequest("Invalid dte. Use either dte, or from and to.")

export const noToken = make(401, "Invalid token header. No credentials provided.")

export const wrongToken = make(401, "Invalid token.")

export const planRequired = (errmsg: string): Refusal => make(402, errmsg)

/** The account is used from several addresses (clause 5.6-single-ip). */
export const addressBlocked = (authorizedIP: string, blockedIP: string): Refusal =>
  make(
    403,
    "Access denied. Only one device is permitted. Your IP address has changed, and your account is temporarily blocked for " +
      "security reasons. Please wait 5 minutes before trying again.",
    { authorizedIP, blockedIP, ...guide("multiple-ip-addresses") }
  )

export const noSuchPath = make(404, "Not found.")

export const symbolNotFound = absent("Symbol not found.")

export const marketClosed = absent("Market closed on this date.")

/** There is no such contract. The public service calls that an error under either reading. */
export const optionNotFound = make(404, "No option found. No option was found for this strike and expiration.")

/** Nothing matches. */
export const noData = absent("No data found.", { nextTime: null, prevTime: null })

/** What was found, if there is any of it. */
export const notEmpty = <Rows extends { readonly length: number }>(
  rows: Rows | undefined,
  refusal = noData
): Result.Result<Rows, Refusal> => rows === undefined || rows.length === 0 ? Result.fail(refusal) : Result.succeed(rows)

export const methodNotAllowed: Refusal = {
  ...make(405, "Method not allowed. Use GET."),
  headers: { allow: "GET" }
}

export const tooMuchData = (errmsg: string): Refusal => make(413, errmsg)

export const creditsExhausted = make(
  429,
  "API credit limit reached for current window.",
  guide("running-out-of-credits")
)

export const tooManyRequests = make(
  429,
  "Too many concurrent requests. Please reduce parallel requests and retry.",
  guide("too-many-concurrent-requests")
)

/** The sandbox itself is broken. */
export const defect = make(500, "Internal server error.")

/** Nothing cached is young enough: the reply has no body at all (clause 7.1-204). */
export const noContent: Refusal = { status: 204, isAboutData: true, fields: {}, headers: {} }
