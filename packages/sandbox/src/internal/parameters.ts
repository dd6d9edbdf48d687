import type * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import type * as Eastern from "@effect-marketdata/core/Eastern"
import type * as OptionChainEndpoint from "@effect-marketdata/core/endpoints/OptionChainEndpoint"
import * as Result from "effect/Result"
import * as Refusals from "./refusals.ts"
import * as RequestTime from "./requestTime.ts"

/**
 * The parameters of one request: what each says, by its name in lower case. A reader answers undefined where a parameter is not there, and
 * refuses what has the wrong type (clause 7.3-cause-wrong-type). Whether a value is in its range is core's to judge.
 */
export interface Parameters {
  readonly values: ReadonlyMap<string, string>
  readonly now: number
}

type Read<A> = Result.Result<A | undefined, Refusals.Refusal>

const read = <A>(
  { values }: Parameters,
  name: string,
  form: string,
  reader: (text: string) => A | undefined
): Read<A> => {
  const text = values.get(name.toLowerCase())
  if (text === undefined) return Result.succeed(undefined)
  const value = reader(text)
  return value === undefined
    ? Result.fail(Refusals.badRequest(`Invalid ${name} ${JSON.stringify(text)}. ${form}`))
    : Result.succeed(value)
}

export const text = ({ values }: Parameters, name: string): string | undefined => values.get(name.toLowerCase())

export const flag = (self: Parameters, name: string): Read<boolean> =>
  read(self, name, "Use true or false.", (text) => ({ true: true, false: false })[text.toLowerCase()])

const decimalOf = (text: string): number | undefined =>
  /^-?(\d{1,12}(\.\d{0,9})?|\.\d{1,9})$/.test(text) ? Number(text) : undefined

export const number = (self: Parameters, name: string): Read<number> => read(self, name, "Use a number.", decimalOf)

export const choice = <const Text extends string>(
  self: Parameters,
  name: string,
  choices: ReadonlyArray<Text>
): Read<Text> => read(self, name, `Use ${choices.join(" or ")}.`, (text) => choices.find((choice) => choice === text))

/** A day without a time, in one of the forms that every date of the service takes. */
export const day = (self: Parameters, name: string): Read<CalendarDate.CalendarDate> =>
  read(self, name, "Use a date such as 2026-11-20.", (text) => RequestTime.parse(text, "plain", self.now)?.date)

/** A day without a time, which may be told from today. */
export const anyDay = (self: Parameters, name: string): Read<CalendarDate.CalendarDate> =>
  read(self, name, "Use a date such as 2026-11-20.", (text) => RequestTime.parse(text, "relative", self.now)?.date)

/** A moment, which may be told from now or from another one. */
export const moment = (
  self: Parameters,
  name: string,
  from = self.now
): Read<Eastern.WallClock | CalendarDate.CalendarDate> =>
  read(self, name, "Use a date or a time such as 2026-11-20 09:30.", (text) => {
    const time = RequestTime.parse(text, "relative", from)
    return time === undefined
      ? undefined
      : time.secondOfDay === undefined
      ? time.date
      : { ...time, secondOfDay: time.secondOfDay }
  })

/** Numbers to choose by: `400`, `400,405`, `400-410`, `>400`, `>=400`, `<400` or `<=400`. */
export const numbers = (self: Parameters, name: string): Read<OptionChainEndpoint.Numbers> =>
  read(self, name, "Use a number, a list such as 400,405, a range such as 400-410, or a bound such as >400.", numbersOf)

const numbersOf = (text: string): OptionChainEndpoint.Numbers | undefined => {
  const bound = /^(>=|<=|>|<)(.+)$/.exec(text)
  if (bound !== null) {
    const number = decimalOf(bound[2]!)
    if (number === undefined) return undefined
    return { ">": { above: number }, ">=": { atLeast: number }, "<": { below: number }, "<=": { atMost: number } }[
      bound[1]!
    ]
  }
  const range = /^([\d.]+)-([\d.]+)$/.exec(text)
  if (range !== null) {
    const [from, to] = [decimalOf(range[1]!), decimalOf(range[2]!)]
    return from === undefined || to === undefined ? undefined : { from, to }
  }
  const list: Array<number> = []
  for (const part of text.split(",")) {
    const number = decimalOf(part.trim())
    if (number === undefined) return undefined
    list.push(number)
  }
  return list.length === 1 ? list[0] : list
}
