/**
 * Consent of the user to the price of one call: by a form of the client (elicitation, in each revision of the protocol) or, if the client cannot show a form,
 * by a token that the model passes on after asking the user. A form or a token is valid once, for five minutes, for a call with the same arguments and price.
 */
import { Clock, Effect, Option, Schema } from "effect"
import * as McpSchema from "effect/ai/McpSchema"
import { randomBytes } from "node:crypto"
import { type CommandError, tooDear } from "../failure/failure.ts"

/** How long a price may be agreed to, in milliseconds. */
const patience = 5 * 60_000

/** The most consents that are pending; the oldest is dropped. */
const mostOpen = 100

/** The form, the same in every revision of the protocol. */
const form = (message: string) => {
  const yes = { type: "boolean" as const, title: "Spend these credits", default: false }
  const requestedSchema = { type: "object" as const, properties: { yes }, required: ["yes"] }
  return { mode: "form" as const, message, requestedSchema }
}

const yes = Schema.Struct({ action: Schema.Literal("accept"), content: Schema.Struct({ yes: Schema.Literal(true) }) })

/** Whether the user of a client said yes. */
const isYes = Schema.is(yes)

/** A price that is not allowed. */
export const refused = (reason: string, message: string, next?: string, ways?: CommandError["ways"]) =>
  tooDear(reason, `${message}. Nothing was sent.`, next, { ways })

const declined = refused("Declined", "the user declined the price", "do not ask for it again unless the user wants it")

/** Makes the function that asks for consent in a session. */
export const make = () => {
  const open = new Map<string, { readonly call: string; readonly ends: number }>()
  const issue = Effect.fnUntraced(function*(call: string) {
    const token = randomBytes(12).toString("base64url")
    const [oldest] = open.keys()
    if (open.size >= mostOpen && oldest !== undefined) open.delete(oldest)
    open.set(token, { call, ends: (yield* Clock.currentTimeMillis) + patience })
    return token
  })
  /** Uses up a token, and returns whether it was for this call and in time. */
  const redeem = Effect.fnUntraced(function*(call: string, token = "") {
    const found = open.get(token)
    open.delete(token)
    return found?.call === call && found.ends > (yield* Clock.currentTimeMillis)
  })
  /** Asks the user for consent to a call and its price. Returns undefined if there is consent, or what the client has to show first. */
  return Effect.fnUntraced(function*(call: string, message: string, token: string | undefined) {
    const { clientCapabilities: { elicitation }, inputResponses, requestState } = yield* McpSchema.McpRequestContext
    const answer = inputResponses?.["consent"]
    if (answer !== undefined) {
      if (!(yield* redeem(call, requestState))) {
        return yield* refused("ConsentExpired", "that consent was for another call, or is too old")
      }
      return isYes(answer) ? undefined : yield* declined
    }
    // A client that supports `url` alone can open web pages, but has no forms.
    if (elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)) {
      const session = yield* Effect.serviceOption(McpSchema.McpServerClient)
      if (Option.isNone(session)) {
        const inputRequests = { consent: { method: "elicitation/create" as const, params: form(message) } }
        return new McpSchema.InputRequired({ inputRequests, requestState: yield* issue(call) })
      }
      const said = yield* session.value.getClient.pipe(
        Effect.flatMap((client) => client.elicit(new McpSchema.ElicitRequestFormParams(form(message)))),
        Effect.scoped,
        Effect.orElseSucceed(() => undefined)
      )
      // A client that answers with an error did not ask its user: for example, it runs without a screen.
      if (said !== undefined) return isYes(said) ? undefined : yield* declined
    }
    if (yield* redeem(call, token)) return undefined
    const before = token === undefined ? "" : "that token was for another call or another price, or is too old. "
    const again = `repeat this very call within 5 minutes with consent: "${yield* issue(call)}"`
    const next = `ask the user; only if they agree, ${again}, or ask for less`
    return yield* refused("ConsentNeeded", `${before}${message}`, next)
  })
}
