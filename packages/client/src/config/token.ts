import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import { InvalidQuery, RequestLineTooLong } from "@effect-marketdata/core/Reason"
import * as Context from "effect/Context"
import { memoize } from "effect/Function"
import * as Headers from "effect/http/Headers"
import * as UrlParams from "effect/http/UrlParams"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Rules from "./rules.ts"

/** Returns whether this may be a token: what an HTTP header takes, and not a placeholder such as `<token>`. */
export const isToken = (token: Redacted.Redacted): boolean => of(token).isToken

/** The most characters of a token. */
const longest = 4096

/** What is computed once for each token, because all requests of a client use the same one. */
const of = /* @__PURE__ */ memoize((token: Redacted.Redacted) => {
  // A wiped token has no value.
  const given: unknown = Result.getOrUndefined(Result.try(() => Redacted.value(token)))
  // Anything longer is not a token, and searching for its forms would take minutes.
  const value = typeof given === "string" ? given.slice(0, longest) : ""
  return {
    isToken: given === value && /^[\x21-\x7e]+$/.test(value) && !/^[{<"'].*|.*[}>"']$/.test(value),
    scrub: ForeignText.without(value)
  }
})

/**
 * Checks a token before it is sent, and adds it to the query string if it goes there (clause 5.3-query). Messages never show it. The request line is
 * measured again, because a new token may be longer than the one that the request was cut for.
 */
export const sign = (
  token: Redacted.Redacted | undefined,
  place: "header" | "query" | undefined,
  request: HttpRequest.HttpRequest
): Result.Result<HttpRequest.HttpRequest, InvalidQuery | RequestLineTooLong> => {
  if (token === undefined) return Result.succeed(request)
  if (!isToken(token)) return Result.fail(new InvalidQuery({ parameter: "token", value: "<redacted>", ...Rules.token }))
  if (!HttpRequest.isPrivate(request)) {
    return Result.fail(InvalidQuery.of("baseUrl", request.origin, Rules.privateLine("a token")))
  }
  if (place !== "query") return Result.succeed(request)
  const signed = { ...request, queryToken: token }
  const bytes = HttpRequest.lineBytes(HttpRequest.wireUrl(signed).slice(request.origin.length))
  return bytes > HttpRequest.maxLineBytes ? Result.fail(new RequestLineTooLong({ bytes })) : Result.succeed(signed)
}

/** Has Effect redact the token wherever it prints requests, in addition to what the application redacts. */
export const hidden = <R>(context: Context.Context<R>): Context.Context<R> =>
  context.pipe(hiding(Headers.CurrentRedactedNames, "authorization"), hiding(UrlParams.CurrentRedactedNames, "token"))

const hiding =
  (names: Context.Reference<ReadonlyArray<string | RegExp>>, name: string) =>
  <R>(context: Context.Context<R>): Context.Context<R> => {
    const present = Context.get(context, names)
    return present.includes(name) ? context : Context.add(context, names, [...present, name])
  }

/** Removes the token from a text of a reply: a proxy or an error page may echo the request. */
export const scrub = (token: Redacted.Redacted | undefined): (text: string) => string =>
  token === undefined ? (text) => text : of(token).scrub
