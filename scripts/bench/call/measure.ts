/** Whole calls of the client, with all that it does, against less: what asks the same server for the same bytes. */
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Paired } from "../decode/paired.ts"
import { median } from "../statistics.ts"
import * as Replies from "./replies.ts"

type Work = () => Promise<unknown>

const time = async (work: Work, times: number): Promise<number> => {
  const start = performance.now()
  for (let at = 0; at < times; at++) await work()
  return (performance.now() - start) / times
}

/**
 * Measures a way against another one, by turns in one process, garbage included; which of them comes first changes from round to round. Short work
 * is done several times a round. The first third of the time only warms both up.
 */
const paired = async (baseline: Work, subject: Work, milliseconds: number): Promise<Paired> => {
  const times = Math.max(1, Math.round(5 / await time(baseline, 3)))
  const baselines: Array<number> = []
  const subjects: Array<number> = []
  const warm = performance.now() + milliseconds / 3
  const end = warm + milliseconds
  for (let round = 0; performance.now() < end || baselines.length < 5; round++) {
    const early = await time(round % 2 === 0 ? baseline : subject, times)
    const late = await time(round % 2 === 0 ? subject : baseline, times)
    if (performance.now() < warm) continue
    baselines.push(round % 2 === 0 ? early : late)
    subjects.push(round % 2 === 0 ? late : early)
  }
  return {
    ratio: median(subjects.map((subject, at) => subject / baselines[at]!)),
    baseline: median(baselines),
    subject: median(subjects)
  }
}

const originOf = (port: number): string => `http://127.0.0.1:${port}`

/** Runs something with a client as a program has it: a budget, and the policies and the tracer that are there by default. */
const withClient = <A>(
  port: number,
  use: (run: <B, E>(self: Effect.Effect<B, E, MarketData.MarketData | HttpClient.HttpClient>) => Work) => Promise<A>
): Promise<A> =>
  Effect.runPromise(
    Effect.gen(function*() {
      const context = yield* Effect.context<MarketData.MarketData | HttpClient.HttpClient>()
      return yield* Effect.promise(() => use((self) => () => Effect.runPromiseWith(context)(self)))
    }).pipe(
      Effect.provide(
        MarketData.layer({ baseUrl: originOf(port), token: Redacted.make(Replies.token) }).pipe(
          Layer.provide(CreditLedger.layerMemory({ allowance: 1e12 })),
          Layer.provideMerge(FetchHttpClient.layer)
        )
      )
    )
  )

const headers = { authorization: `Bearer ${Replies.token}`, accept: "application/json" }

const askChain = Effect.map(
  MarketData.optionChain("SPX", { expiration: "all", assume: { contracts: 22_718 } }),
  ({ data }) => {
    if (data.length !== 22_718) throw new Error(`the chain has ${data.length} contracts`)
  }
)

/** The largest chain, against plain fetch and `JSON.parse`. */
export const chain = (port: number, milliseconds: number): Promise<Paired> =>
  withClient(port, (run) => {
    const plain = async () => {
      const response = await fetch(originOf(port) + Replies.targets.chain, { headers })
      return JSON.parse(await response.text())
    }
    return paired(plain, run(askChain), milliseconds)
  })

const askQuote = MarketData.stockQuote("AAPL")

/** One quote, against the same HTTP client without anything around it. */
export const quote = (port: number, milliseconds: number): Promise<Paired> =>
  withClient(port, (run) => {
    const request = HttpClientRequest.get(originOf(port) + Replies.targets.quote, { headers })
    const bare = Effect.flatMap(HttpClient.execute(request), (response) => response.json)
    return paired(run(bare), run(askQuote), milliseconds)
  })

/** One of the client's calls alone, again and again for so many milliseconds. */
export const profile = (port: number, name: string, milliseconds: number): Promise<void> =>
  withClient(port, async (run) => {
    const work = name === "one-quote" ? run(askQuote) : run(askChain)
    const end = performance.now() + milliseconds
    while (performance.now() < end) await work()
  })
