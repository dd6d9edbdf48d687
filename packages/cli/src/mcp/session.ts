/**
 * A session: how every tool that may spend asks. It prices the call, checks the budgets, asks for consent, and sends it within the ledgers of the budgets. The
 * ledgers are opened when a call first needs them, the client when a call is first sent.
 */
import { CacheFallback, Claim, CreditLedger } from "@effect-marketdata/client"
import { Credits, Provenance, Reason } from "@effect-marketdata/core"
import { Array as Arr, Clock, Config, Context, Duration, Effect, Layer, Record, Result, Schema, Scope } from "effect"
import * as McpSchema from "effect/ai/McpSchema"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { randomBytes, randomUUID } from "node:crypto"
import * as Connection from "../call/connection.ts"
import * as Kept from "../call/kept.ts"
import * as Ledger from "../call/ledger.ts"
import * as Round from "../call/round.ts"
import { changed, type CommandError, tooDear, wrong } from "../failure/failure.ts"
import * as Names from "../failure/names.ts"
import * as Settings from "../settings/settings.ts"
import * as Words from "../text/words.ts"
import * as Report from "../views/report.ts"
import * as Answer from "./answer.ts"
import * as Given from "./parameters.ts"

/** What the command line says of a session; a budget that is undefined does not apply. */
export interface Options {
  readonly session: number
  readonly day: number | undefined
  readonly job: { readonly name: string; readonly most: number | undefined } | undefined
  /** The price above which the user is asked. */
  readonly askAbove: number
  readonly sandbox: Connection.SandboxOptions
  /** Returns once the only client is gone. */
  readonly gone?: Effect.Effect<void>
}

/** The least that is left in any budget. */
const leftOf = (all: ReadonlyArray<Ledger.Figures>): number =>
  Math.max(0, Math.min(...all.map(({ available }) => available ?? Infinity)))

/**
 * The ledgers of session, day, job and all commands, combined into one, and the balance of each. Each step is recorded in all of them, so that no order of
 * calls, lost reply or restart spends more than the least of them allows. They stay open until the scope closes.
 */
const budgetsOf = Effect.fnUntraced(function*({ day, job, session }: Options, service: Settings.Service) {
  const shared = yield* Ledger.shared(service)
  const own = yield* CreditLedger.makeMemory({ allowance: session })
  const kept = (name: string, allowance: number | undefined, window: "day" | "none") =>
    allowance === undefined ? Effect.succeed([]) : Effect.map(
      Ledger.beside(service, { budget: name, allowance, window }),
      (ledger) => [{ name, ledger, balance: ledger.balance }]
    )
  const ledgers = [
    { name: "session", ledger: own, balance: own.balance },
    ...yield* kept(`${Ledger.ofAgents}day`, day, "day"),
    ...yield* kept(`${Ledger.ofAgents}job ${job?.name}`, job?.most, "none"),
    ...shared === undefined ? [] : [{ ...shared, name: "all commands" }]
  ]
  const told = Effect.fnUntraced(function*({ balance, name }: typeof ledgers[number]) {
    const known = yield* Effect.orElseSucceed(balance, () => undefined)
    return known === undefined ? [] : [{ name, allowance: known.allowance, ...Ledger.figures(known) }]
  })
  return {
    /** Whether keys are known after a restart; the embedded sandbox charges nothing, so it needs none. */
    keepsKeys: shared !== undefined || service.embedded,
    ledger: ledgers.map(({ ledger }) => ledger).reduce(CreditLedger.both),
    unrecorded: Effect.forEach(ledgers, ({ ledger }) => Ledger.unrecorded(ledger)),
    all: Effect.map(Effect.forEach(ledgers, told), (all) => all.flat())
  }
})

/** The most keys whose answers are kept; the oldest is forgotten, and from then on the ledger refuses its call, as after a restart. */
const mostKeys = 100

/** How long a price may be agreed to, in milliseconds. */
const patience = 5 * 60_000

/** The most consents that are pending; the oldest is dropped. */
const mostOpen = 100

/** The form of consent, the same in every revision of the protocol. */
const form = (message: string) => {
  const yes = { type: "boolean" as const, title: "Spend these credits", default: false }
  const requestedSchema = { type: "object" as const, properties: { yes }, required: ["yes"] }
  return { mode: "form" as const, message, requestedSchema }
}

const Yes = Schema.Struct({ action: Schema.Literal("accept"), content: Schema.Struct({ yes: Schema.Literal(true) }) })

/** Whether the user of a client said yes. */
const isYes = Schema.is(Yes)

/** A price that is not allowed. */
const refusal = (reason: string, message: string, next?: string, ways?: CommandError["ways"]) =>
  tooDear(reason, `${message}. Nothing was sent.`, next, { ways })

const declined = refusal("Declined", "the user declined the price", "do not ask for it again unless the user wants it")

/**
 * Makes the function that asks the user for consent to the price of a call: by a form of the client (elicitation, in each revision of the protocol) or, if the
 * client cannot show a form, by a token that the model passes on after asking the user. A form or a token is valid once, for five minutes, for a call with the
 * same arguments and price. Once the client is `gone`, a form that is open is not waited for.
 */
const consents = (gone: Effect.Effect<void> = Effect.never) => {
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
        return yield* refusal("ConsentExpired", "that consent was for another call, or is too old")
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
        Effect.orElseSucceed(() => undefined),
        Effect.raceFirst(Effect.as(gone, undefined)),
        // What does not answer the form, such as an action of an older draft of the protocol, is not a yes.
        Effect.catchDefect(() => declined)
      )
      // A client that answers with an error did not ask its user: for example, it runs without a screen.
      if (said !== undefined) return isYes(said) ? undefined : yield* declined
    }
    if (yield* redeem(call, token)) return undefined
    const before = token === undefined ? "" : "that token was for another call or another price, or is too old. "
    const again = `repeat this very call within 5 minutes with consent: "${yield* issue(call)}"`
    const next = `ask the user; only if they agree, ${again}, or ask for less`
    return yield* refusal("ConsentNeeded", `${before}${message}`, next)
  })
}

/** A call on its way: whether a request of it was sent, and whether its client gave it up, after which no other is. */
const begun = () => ({ isSent: false, isGivenUp: false })

type Flight = ReturnType<typeof begun>

/** The ledger of one call. */
const ledgerOf = (flight: Flight, ledger: CreditLedger.CreditLedger["Service"]): typeof ledger => ({
  ...ledger,
  reserve: (...of) =>
    Effect.map(ledger.reserve(...of), (own) => ({
      ...own,
      send: (...request) =>
        Effect.suspend(() => {
          if (flight.isGivenUp) return new Reason.CreditBudgetExceeded({ cause: "Insufficient", available: 0 })
          flight.isSent = true
          return own.send(...request)
        })
    }))
})

/** Cheaper ways to ask, as far as the tool has arguments for them. */
const waysOf = ({ call: { others = [], query }, tool }: Given.Priced, most: number) =>
  others.length > 0 ? [] : Credits.ways(query, most).flatMap(({ options, price }) => {
    const given = Record.mapKeys(options, (name) => name === "strikeLimit" ? "strikes" : name)
    const isNamed = Object.keys(given).every((name) => Given.paid[tool].takes.includes(name))
    return isNamed ? [{ command: `with ${JSON.stringify(given)}`, price: Credits.format(price) }] : []
  })

/** Opens a session until the scope closes. */
export const make = Effect.fnUntraced(function*(options: Options) {
  const scope = yield* Effect.scope
  // Uninterruptible: the first call may be cancelled while it makes what later calls share.
  const once = <A, E, R>(make: Effect.Effect<A, E, R>) =>
    Effect.cached(Effect.uninterruptible(Effect.provide(Scope.provide(make, scope), Kept.Troubles.layer)))
  const tools = yield* Given.paidTools
  const results = Answer.results()
  const consent = consents(options.gone)
  const keyed = new Map<string, { readonly turn: Semaphore.Semaphore; call?: string; answer?: Answer.Answer }>()
  const kept = yield* once(Effect.gen(function*() {
    const service = yield* Connection.asked
    const sizes = yield* Layer.build(Kept.sizes(service))
    return { service, sizes, budgets: yield* budgetsOf(options, service) }
  }))
  const client = yield* once(Effect.gen(function*() {
    const { budgets, sizes } = yield* kept
    return yield* Layer.provide(Connection.client, Connection.cache(false)).pipe(
      Layer.provideMerge(Layer.succeedContext(Context.add(sizes, CreditLedger.CreditLedger, budgets.ledger))),
      Layer.provideMerge(Connection.layer(options.sandbox)),
      Layer.merge(CacheFallback.layerUpTo(0)),
      Layer.build
    )
  }))
  const budgets = Effect.flatMap(kept, ({ budgets }) => budgets.all)
  const left = Effect.map(budgets, leftOf)

  /** The price of a call, which sends nothing. */
  const priced = Effect.fnUntraced(function*(tool: Given.Paid, given: Given.Given) {
    const { service, sizes } = yield* kept
    return yield* Effect.provideContext(tools[tool].priced(given, service.baseUrl), sizes)
  })

  /** Sends a call within its price, by a ledger of its own. */
  const send = Effect.fnUntraced(function*({ call, most }: Given.Priced, key: string | undefined, flight: Flight) {
    const ledger = ledgerOf(flight, yield* CreditLedger.makeMemory({ allowance: most }))
    const claim = key === undefined ? undefined : { key: `mcp ${options.job?.name ?? ""} ${key}`, run: randomUUID() }
    // Clients give up after half a minute.
    const limit = yield* Config.withDefault(Settings.config("timeout"), Duration.seconds(25))
    const asked = yield* Round.ask(call, limit).pipe(
      Effect.provideService(CreditLedger.Budget, ledger),
      Effect.provideService(Claim.Current, claim),
      Effect.result
    )
    const { charged, uncertain } = yield* Effect.orDie(ledger.balance)
    const unrecorded = (yield* (yield* kept).budgets.unrecorded).flatMap((one) => one?.message ?? [])
    if (Result.isSuccess(asked)) return { round: asked.success, charged, uncertain, unrecorded }
    const failure = Round.failureOf(asked.failure, call)
    // A ledger that cannot be used has refused the call before it was sent.
    const notes = failure.reason === "LedgerUnavailable" ? [] : unrecorded.map((note) => ` Note: ${note}.`)
    return yield* changed(failure, { message: failure.message + notes.join(""), credits: { charged, uncertain } })
  })

  /** Judges a price: what the call may cost, why it is refused, if it is, and cheaper ways to ask. */
  const judged = (price: Given.Priced, max: number, left: number) => {
    const { estimates, most } = price
    const room = Math.min(max, left)
    const some = Words.credits(room)
    const lack = max < left ? `max_credits allows ${some}` : `the budgets have ${some} left`
    const costs = most === Infinity ? "any number of credits" : `up to ${Words.credits(most)}${Report.sizes(estimates)}`
    const refused = most === Infinity ? "it has no upper bound" : most > room ? lack : undefined
    return { costs, refused, ways: waysOf(price, room) }
  }

  /** Whether a price is allowed: by the call itself, by the budgets, and by the user. Returns what the client has to show first. */
  const allowed = Effect.fnUntraced(function*(price: Given.Priced, what: string, given: Given.Given, left: number) {
    const { costs, refused, ways } = judged(price, given.max_credits ?? Infinity, left)
    if (refused !== undefined) {
      const next = "`budget` says what is left. Only the user can raise a budget; ask for less"
      return yield* refusal("PriceNotAllowed", `${what} may cost ${costs}, and ${refused}`, next, ways)
    }
    if (price.most <= options.askAbove) return undefined
    const message = `${what} may cost ${costs}; ${Words.credits(left)} are left`
    return yield* consent(`${what} ${price.most}`, message, given.consent)
  })

  /** What is known of a key; of none, nothing. */
  const ofKey = (key = "") => {
    const known = keyed.get(key) ?? { turn: Semaphore.makeUnsafe(1) }
    if (key !== "") keyed.set(key, known)
    if (keyed.size > mostKeys) keyed.delete([...keyed.keys()][0]!)
    return known
  }

  type Known = ReturnType<typeof ofKey>

  /** Asks: returns the answer, or what the client has to show to the user first. */
  const asked = Effect.fnUntraced(function*(tool: Given.Paid, given: Given.Given, known: Known, flight: Flight) {
    const { bytes = Given.usualBytes, consent: _, key, ...args } = given
    const what = `${tool} ${JSON.stringify(args)}`
    if (known.answer && known.call === what) return { ...known.answer, credits: Answer.free(yield* left) }
    if (key !== undefined && !(yield* kept).budgets.keepsKeys) {
      const why =
        "a key is kept in the ledger, and there is none: after a restart the call would be paid again. Nothing was sent."
      return yield* wrong("Ledger", why, "leave key out; the user finds out about the ledger with `marketdata doctor`")
    }
    const price = yield* priced(tool, given)
    const shown = yield* allowed(price, what, given, yield* left)
    if (shown !== undefined) return shown
    const context = yield* client
    const { charged, round, uncertain, unrecorded } = yield* Effect.provideContext(send(price, key, flight), context)
    const now = yield* Words.epochSeconds
    const { call, most, untrusted } = price
    const rows = call.view.rows(Round.dataOf(call, round))
    const columns = price.shown ?? rows.names
    const provenance = Provenance.merge(...Arr.map(round.answered, ({ answer }) => answer.provenance))
    const unanswered = Names.few(round.failures.map(({ query }) => Names.label(query)))
    const isOver = "the call was given up before it was sent, or it failed; ask for the rest under another key"
    const failed = unanswered === "" ? undefined : flight.isGivenUp
      ? { message: `no answer to ${unanswered}: ${isOver}` }
      : Round.failureOf(round.failures, call, round.answered)
    // A symbol that the service leaves out of its reply fails no query.
    const lacking = [...[failed, Round.missingOf(round)].flatMap((one) => one?.message ?? []), ...unrecorded]
    const answer = results.keep(rows, columns, {
      ...Answer.fitting(rows, bytes, columns),
      untrusted,
      credits: { most, charged, uncertain, left: yield* left },
      provenance: Answer.provenanceOf(provenance, Context.get(context, Connection.Connection).service, now),
      notes: [...Round.notesOf(call, round, now), ...lacking, ...Answer.timesOf(rows)].map(Given.toTools),
      repeat: { tool, arguments: args as Answer.Answer["repeat"]["arguments"] }
    })
    Object.assign(known, { call: what, answer })
    return answer
  })

  /**
   * Lets calls with the same key wait for each other, so that the answer to one is the answer to all. A client may give up a call, or disconnect: what was
   * sent is paid for all the same, so that it is answered in the scope of the session. Its charge is known then, and its answer is kept; no more is sent.
   */
  const ask = (tool: Given.Paid, given: Given.Given) =>
    Effect.uninterruptibleMask((restore) => {
      const flight = begun()
      const known = ofKey(given.key)
      return Effect.flatMap(Effect.forkIn(known.turn.withPermit(asked(tool, given, known, flight)), scope), (fiber) =>
        Effect.onInterrupt(restore(Fiber.join(fiber)), () => {
          flight.isGivenUp = true
          return flight.isSent ? Effect.void : Fiber.interrupt(fiber)
        }))
    })

  const limit = Words.credits(options.askAbove)

  /** Says what would happen to a call, for `estimate`. */
  const verdict = (price: Given.Priced) =>
    Effect.map(left, (left) => {
      const { refused, ways } = judged(price, Infinity, left)
      const isAsked = price.most > options.askAbove
      const sent = isAsked ? "the user would be asked, as above" : "it would be sent, as all up to"
      const verdict = refused === undefined ? `${sent} ${limit}` : `it would be refused: ${refused}`
      return [verdict, ...ways.map(({ command, price }) => `${command}: ${price}`)]
    })

  return { tools, ask, priced, verdict, results, budgets, left, limit }
})

export type Session = Effect.Success<ReturnType<typeof make>>
