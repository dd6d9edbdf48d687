/** One process of the bench: computes volatilities. */
import { ColumnTable, OptionChain } from "@effect-marketdata/core"
import { Black, ImpliedVolatility, Volatility } from "@effect-marketdata/volatility"
import * as BlackScholes from "black-scholes"
import * as Result from "effect/Result"
import * as Others from "implied-volatility"
import { chain } from "../decode/chains.ts"
import { paired } from "../statistics.ts"
import { answer } from "../worker.ts"

const body = ColumnTable.encode(chain(22_718))
const decoded = Result.getOrThrow(OptionChain.decode(body))

const whole = (quotes: boolean) => (milliseconds: string) => {
  const columns = () => Result.getOrThrow(Volatility.columns(decoded, { quotes }))
  // On a busy machine the usual warm-up ends before V8 has compiled all of it.
  for (let round = 0; round < 10; round++) columns()
  return paired(() => JSON.parse(body), columns, Number(milliseconds))
}

const rate = 0.04

/** Options of the chain with a month or more to go, between a delta of 0.05 and one of 0.95, with their prices without dividends. */
const some = Array.from(decoded)
  .filter(({ delta, dte }) => dte! > 30 && Math.abs(delta!) > 0.05 && Math.abs(delta!) < 0.95)
  .filter((_, at) => at % 10 === 0)
  .map(({ dte, iv, side, strike, underlyingPrice }) => {
    const [spot, years] = [underlyingPrice!, dte! / 365]
    const discount = Math.exp(-rate * years)
    const model = { forward: spot / discount, strike, years, discount, volatility: iv! }
    return { side, spot, model, price: Result.getOrThrow(Black.price(side, model)) }
  })

type Option = typeof some[number]

/** Measures a way for one option against ours, by all of them. */
const each =
  (baseline: (option: Option) => number, subject: (option: Option) => number) => async (milliseconds: string) => {
    const sum = (of: (option: Option) => number) => () => some.reduce((sum, option) => sum + of(option), 0)
    // The other package is so slow that the usual warm-up would run ours too rarely to be compiled.
    for (let round = 0; round < 50; round++) sum(subject)()
    const { ratio, ...took } = await paired(sum(baseline), sum(subject), Number(milliseconds))
    return { ratio, baseline: took.baseline / some.length, subject: took.subject / some.length }
  }

await answer({
  "22718-chain": whole(false),
  "22718-chain-quotes": whole(true),
  "one-solve": each(
    ({ model: { strike, years }, price, side, spot }) =>
      Others.getImpliedVolatility(price, spot, strike, years, rate, side),
    ({ model, price, side }) => Result.getOrThrow(ImpliedVolatility.solve(side, model, price))
  ),
  "one-price": each(
    ({ model: { strike, volatility, years }, side, spot }) =>
      BlackScholes.blackScholes(spot, strike, years, volatility, rate, side),
    ({ model, side }) => Result.getOrThrow(Black.price(side, model))
  )
})
