/** The settings that the command line reads itself. The others are the client's, which has a `Config` of its own for them. */
import * as Problem from "@effect-marketdata/core/Problem"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Duration from "../text/duration.ts"
import { type Name, settings } from "./settings.ts"

/** Reads a setting, and fails by its rule. */
const setting = <A>(name: Name, read: (text: string) => Option.Option<A>): Config.Config<A> => {
  const { variable, ...problem } = settings[name]
  return Config.mapEffect(Config.String(variable), (text) =>
    Option.match(read(text), {
      onSome: Effect.succeed,
      onNone: () =>
        Effect.fail(
          new Config.ConfigError(
            new ConfigProvider.SourceError({ message: Problem.format(`${variable} ${Problem.shown(text)}`, problem) })
          )
        )
    }))
}

const oneOf =
  <const Values extends ReadonlyArray<string>>(values: Values) => (text: string): Option.Option<Values[number]> =>
    Option.fromNullishOr(values.find((value) => value === text))

/** How data can be printed. */
export const formats = ["table", "json", "jsonl", "csv"] as const

export const format = setting("format", oneOf(formats))

export const mode = setting("mode", oneOf(["live", "cached", "delayed"]))

const amount = (text: string): Option.Option<number> => {
  const value = Number(text)
  return /^\d+$/.test(text) && Number.isSafeInteger(value) ? Option.some(value) : Option.none()
}

const count = (text: string): Option.Option<number> => Option.filter(amount(text), (value) => value >= 1)

export const confirmAbove = setting("confirmAbove", amount)

export const allowance = setting("allowance", amount)

export const allowanceWindow = setting("allowanceWindow", oneOf(["day", "minute", "none"]))

/** On, off, or a path that means the same wherever a command is typed. */
const place = (text: string): Option.Option<string> =>
  text === "on" || text === "off" || /^(?:~[/\\]|\/|[A-Za-z]:[/\\])[^\0]+$/.test(text)
    ? Option.some(text)
    : Option.none()

export const cache = setting("cache", place)

export const cacheBytes = setting("cacheBytes", count)

export const ledger = setting("ledger", place)

export const timeout = setting("timeout", Duration.read)

/** It decides how many requests a list of symbols takes, and so its price. */
export const maxSymbols = setting("maxSymbols", count)
