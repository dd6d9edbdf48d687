/**
 * What commands keep on this machine: the replies, and the ledger of what they spend. Nothing of the embedded sandbox is kept: an invented market must
 * never answer for the real one. A service at an address of this machine may be another one tomorrow, so it is kept only where a setting asks for it.
 */
import { ForeignText } from "@effect-marketdata/core"
import { Config, Context, Effect, Layer, Option, type Path } from "effect"
import type { CommandError } from "../failure/failure.ts"
import * as Place from "../settings/place.ts"
import * as Service from "../settings/service.ts"

/** What is wrong with what is kept here. It takes nothing from a command, and is told by `--verbose` and by `doctor`. */
export class Troubles extends Context.Service<Troubles, {
  readonly tell: (text: string) => Effect.Effect<void>
  readonly told: Effect.Effect<ReadonlyArray<string>>
}>()("@effect-marketdata/cli/Troubles") {
  static readonly layer = Layer.sync(Troubles, () => {
    const texts = new Set<string>()
    return {
      tell: (text) => Effect.sync(() => void texts.add(ForeignText.line(text, 500))),
      told: Effect.sync(() => [...texts])
    }
  })
}

/** Where something is kept, and whether a setting asked for it: then a command fails where it cannot be. Or why it is kept nowhere. */
export type Where =
  | { readonly path: string; readonly isAsked: boolean }
  | { readonly path: undefined; readonly why: string }

/** A setting of on, off or a path, and the usual path. */
export interface Choice {
  readonly name: "cache" | "ledger"
  readonly setting: Config.Config<string>
  readonly usual: Effect.Effect<string | undefined, never, Path.Path>
  /** Whether another setting is for nothing without it. */
  readonly isNeeded?: boolean
}

/** The path of a choice, also where nothing is kept there. */
export const pathOf = Effect.fnUntraced(function*({ setting, usual }: Choice) {
  const chosen = Option.getOrElse(yield* Config.option(setting), () => "on")
  return { isOn: chosen !== "off", path: /^(?:on|off)$/.test(chosen) ? yield* usual : yield* Place.given(chosen) }
})

/** Where something is kept of a service. */
export const where = Effect.fnUntraced(function*(
  choice: Choice,
  { baseUrl, embedded }: Service.Service
): Effect.fn.Return<Where, Config.ConfigError | CommandError, Path.Path> {
  const nowhere = (why: string): Where => ({ path: undefined, why })
  const { isOn, path } = yield* pathOf(choice)
  if (embedded) return nowhere("of the embedded sandbox nothing is kept")
  if (!isOn) return nowhere(`the setting ${choice.name} is off`)
  const isAsked = choice.isNeeded === true || Option.isSome(yield* Config.option(choice.setting))
  if (path !== undefined && (isAsked || !Service.isHere(baseUrl))) return { path, isAsked }
  return isAsked
    ? yield* Place.nowhere
    : nowhere(`of a service on this machine nothing is kept without \`marketdata config set ${choice.name} on\``)
})
