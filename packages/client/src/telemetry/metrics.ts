import type * as Context from "effect/Context"
import * as Metric from "effect/Metric"
import * as Telemetry from "./Telemetry.ts"

type Metrics = typeof Telemetry.metrics

/** The name of a metric. */
export type Name = keyof Metrics

/** A value for each attribute, in their order. */
type Values<Attributes extends ReadonlyArray<string>> = { readonly [Index in keyof Attributes]: string }

/** From a tenth of a millisecond to two minutes, four to the factor of ten. */
const boundaries: ReadonlyArray<number> = /* @__PURE__ */ Array.from({ length: 25 }, (_, at) => 1e-4 * 10 ** (at / 4))

type Series = Metric.Metric<number, unknown>

/** The series of a metric that occurred, one for each list of values: to make one costs more than to count in it. */
interface Branch {
  readonly under: Map<string, Branch>
  series: Series | undefined
}

const branch = (): Branch => ({ under: new Map(), series: undefined })

const all = branch()

const at = ({ under }: Branch, value: string): Branch => {
  const present = under.get(value)
  if (present !== undefined) return present
  const made = branch()
  under.set(value, made)
  return made
}

const seriesOf = (name: Name, values: ReadonlyArray<string>): Series => {
  let found = at(all, name)
  for (const value of values) found = at(found, value)
  return found.series ??= make(Telemetry.metrics[name], values)
}

const make = (info: Telemetry.MetricInfo, values: ReadonlyArray<string>): Series => {
  const { description, kind, name, unit } = info
  const attributes = {
    // Effect's exporters take the unit from here; what is only counted has none.
    ...(unit.startsWith("{") ? {} : { unit }),
    ...Object.fromEntries(info.attributes.map((attribute, at) => [attribute, values[at] ?? ""]))
  }
  return kind === "counter"
    ? Metric.counter(name, { description, attributes, incremental: true })
    : Metric.histogram(name, { description, attributes, boundaries })
}

/** Counts, or observes, in the registry of a fiber. */
export const update = <N extends Name>(
  context: Context.Context<never>,
  name: N,
  values: Values<Metrics[N]["attributes"]>,
  amount: number
): void => seriesOf(name, values).updateUnsafe(amount, context)
