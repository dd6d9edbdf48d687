/**
 * A session: how every tool that may spend asks. First the price, then whether it is allowed and whether the user agrees, then the data, held to the
 * price by the ledgers of `budgets.ts`. The client is made when the first call needs it.
 */
import * as CacheFallback from "@effect-marketdata/client/CacheFallback"
import * as Claim from "@effect-marketdata/client/Claim"
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
import * as Credits from "@effect-marketdata/core/Credits"
import * as Arr from "effect/Array"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { randomUUID } from "node:crypto"
import * as Cache from "../asking/cache.ts"
import * as Connection from "../asking/connection.ts"
import * as Kept from "../asking/kept.ts"
import * as Round from "../asking/round.ts"
import * as Sizes from "../asking/sizes.ts"
import { CommandError } from "../failure/failure.ts"
import * as Settings from "../settings/settings.ts"
import * as Words from "../text/words.ts"
import * as Report from "../views/report.ts"
import { toTools } from "./advice.ts"
import * as Again from "./again.ts"
import * as Answer from "./answer.ts"
import * as Budgets from "./budgets.ts"
import * as Calls from "./calls.ts"
import * as Consent from "./consent.ts"
import { type Paid, usualBytes } from "./parameters.ts"

/** What the command line says of a session. */
export interface Options extends Budgets.Limits {
  /** The price above which the user is asked. */
  readonly askAbove: number
  readonly sandbox: Connection.SandboxOptions
}

/** How long a call may take where no setting says it: clients wait half a minute. */
const patience = 25_000

/** What every tool that may spend is given. */
interface Spending {
  readonly bytes?: number
  readonly consent?: string
  readonly key?: string
  readonly max_credits?: number
}

const refused = (message: string, ways: CommandError["ways"] = [], next?: string) =>
  new CommandError({ class: "budget", reason: "PriceNotAllowed", message: `${message}. Nothing was sent.`, next, ways })

/** Cheaper ways to ask, by the names of arguments. */
const waysOf = ({ call: { list, query } }: Calls.Priced, most: number) =>
  list !== undefined && list.others.length > 0 ? [] : Credits.ways(query, most).flatMap(({ options, price }) => {
    const named = Object.entries(options).map(([name, value]) =>
      [name === "strikeLimit" ? "strikes" : name, value] as const
    )
    const isNamed = named.every(([name]) => ["strikes", "expiration", "dte", "mode", "side"].includes(name))
    const said = Object.fromEntries(named.filter(([, value]) => value !== undefined))
    return isNamed ? [{ command: `with ${JSON.stringify(said)}`, price: Credits.format(price) }] : []
  })

/** Everything that is made with the first call: the service, the ledgers, the client. */
const layerOf = (options: Options) =>
  Connection.client.pipe(
    Layer.provide(Cache.layer(false)),
    Layer.provideMerge(Budgets.layer(options)),
    Layer.provideMerge(
      Layer.unwrap(Connection.Connection.useSync(({ service }) => Sizes.layer({ ...service, isReadOnly: false })))
    ),
    Layer.provideMerge(Connection.layer(options.sandbox)),
    Layer.provideMerge(Kept.Troubles.layer),
    Layer.merge(CacheFallback.layerUpTo(0))
  )

export const make = Effect.fnUntraced(function*(options: Options) {
  const scope = yield* Effect.scope
  const results = Again.make()
  const consent = Consent.make()
  const keyed = new Map<string, { readonly call: string; readonly result: string }>()
  // One call that is given up must not leave all others without a client.
  const client = yield* Effect.cached(Effect.uninterruptible(Layer.buildWithScope(layerOf(options), scope)))
  const budgets = Effect.flatMap(client, (context) => Context.get(context, Budgets.Budgets).all)
  const deadline = Effect.map(
    Config.option(Settings.config("timeout")),
    Option.match({ onNone: () => patience, onSome: Duration.toMillis })
  )

  /** The price of a call. */
  const priced = Effect.fnUntraced(function*<Name extends Paid>(name: Name, given: Calls.ArgumentsOf<Name>) {
    const { baseUrl } = yield* Connection.asked
    return yield* Calls.priced(name, given, baseUrl)
  })

  /** Sends a call with a ledger of its own, which holds what was told and no more. */
  const send = Effect.fnUntraced(function*({ call, most }: Calls.Priced, key: string | undefined) {
    const ledger = yield* CreditLedger.makeMemory({ allowance: most })
    const claim = key === undefined ? undefined : { key: `mcp ${options.job?.name ?? ""} ${key}`, run: randomUUID() }
    const policy = Option.getOrElse(yield* Effect.serviceOption(RetryPolicy.RetryPolicy), () => RetryPolicy.make())
    const asked = yield* Effect.result(
      Round.ask(call).pipe(
        Effect.provideService(Budgets.OfCall, ledger),
        Effect.provideService(Claim.Current, claim),
        Effect.provideService(RetryPolicy.RetryPolicy, { ...policy, deadline: yield* deadline })
      )
    )
    const { charged, uncertain } = yield* Effect.orDie(ledger.balance)
    if (Result.isFailure(asked)) {
      return yield* new CommandError({ ...Round.failureOf(asked.failure, call), credits: { charged, uncertain } })
    }
    return { round: asked.success, charged, uncertain }
  })

  /** Whether a price is allowed: by the call itself, by the budgets, and by the user. Returns what the client has to show first. */
  const allowed = Effect.fnUntraced(function*(price: Calls.Priced, what: string, spending: Spending, left: number) {
    const { estimates, most } = price
    // Without a price there is nothing to allow: the client refuses it and says why.
    if (estimates.some(({ _tag }) => _tag === "Unavailable" || _tag === "Refused")) return undefined
    const costs = `${what} may cost ${
      most === Infinity
        ? "any number of credits: it has no upper bound"
        : `up to ${Words.credits(most)}${Report.sizes(estimates)}`
    }`
    const { consent: token, max_credits = Infinity } = spending
    if (most > max_credits || most === Infinity) {
      return yield* refused(
        most === Infinity ? costs : `${costs}, and max_credits allows ${Words.credits(max_credits)}`,
        waysOf(price, Math.min(max_credits, left)),
        "ask for less, such as:"
      )
    }
    if (most > left) {
      return yield* refused(
        `${costs}, and the budgets have ${Words.credits(left)} left`,
        waysOf(price, left),
        "`budget` says which budget it is. Only the user can raise one; ask for less:"
      )
    }
    if (most <= options.askAbove) return undefined
    return yield* consent(
      { call: `${what} ${most}`, most, message: `${costs}; ${Words.credits(left)} are left` },
      token
    )
  })

  /** The answer that a key has already: a repeated call costs nothing. */
  const answered = Effect.fnUntraced(function*(key: string | undefined, what: string, bytes: number) {
    const before = key === undefined ? undefined : keyed.get(key)
    if (before === undefined || before.call !== what) return undefined
    const { answer, columns, rows } = yield* results.find(before.result)
    const credits = { ...answer.credits, most: 0, charged: 0, uncertain: 0 }
    return { ...answer, ...Answer.fitting(Answer.select(rows, columns), bytes), credits }
  })

  /** Asks: returns the answer, or what the client has to show to the user first. */
  const ask = Effect.fnUntraced(function*<Name extends Paid>(name: Name, given: Calls.ArgumentsOf<Name>) {
    const { bytes = usualBytes, consent: _, key, ...args }: Spending = given
    const what = `${name} ${JSON.stringify(args)}`
    const before = yield* answered(key, what, bytes)
    if (before !== undefined) return before
    const context = yield* client
    const price = yield* Effect.provideContext(priced(name, given), context)
    const shown = yield* allowed(price, what, given, Budgets.left(yield* budgets))
    if (shown !== undefined) return shown
    const { charged, round, uncertain } = yield* Effect.provideContext(send(price, key), context)
    const now = yield* Words.epochSeconds
    const { call, command, most } = price
    const rows = call.view.rows(Round.dataOf(call, round))
    const columns = command.shown ?? rows.names
    const { service } = Context.get(context, Connection.Connection)
    const answer = results.keep({ rows, columns }, {
      ...Answer.fitting(Answer.select(rows, columns), bytes),
      untrusted: command.untrusted === true,
      credits: { most, charged, uncertain, left: Budgets.left(yield* budgets) },
      provenance: Answer.provenanceOf(Arr.map(round.answered, ({ answer }) => answer.provenance), service, now),
      notes: [
        ...Round.notesOf(call, round, now).map((note) =>
          // The limit is that of the price, and nobody has typed it.
          note.includes("--limit allows")
            ? "as many came as the price is for: ask for more strikes if some are missing"
            : toTools(note)
        ),
        ...round.failures.length === 0 ? [] : [Round.failureOf(round.failures, call).message]
      ],
      repeat: { tool: name, arguments: args }
    })
    if (key !== undefined) keyed.set(key, { call: what, result: answer.result })
    return answer
  })

  /** What would become of a call, before it is made. */
  const verdict = (price: Calls.Priced) =>
    Effect.map(Effect.map(budgets, Budgets.left), (left) => [
      price.most > left
        ? `it would be refused: ${Words.credits(left)} are left`
        : price.most > options.askAbove
        ? `the user would be asked first: it may cost more than ${Words.credits(options.askAbove)}`
        : `it would be sent without asking: ${Words.credits(options.askAbove)} or less are allowed`,
      ...waysOf(price, left).map(({ command, price }) => `${command}: ${price}`)
    ])

  return {
    ask,
    verdict,
    price: <Name extends Paid>(name: Name, given: Calls.ArgumentsOf<Name>) =>
      Effect.flatMap(client, (context) => Effect.provideContext(priced(name, given), context)),
    results,
    budgets,
    threshold: `the user is asked before a call that may cost more than ${Words.credits(options.askAbove)}`
  }
})

export type Session = Effect.Success<ReturnType<typeof make>>
