/**
 * The columns of a table by name: the kind of each, and where null may stand.
 *
 * @example
 * ```ts
 * import type { Row } from "@effect-marketdata/core/ColumnSpec"
 * import type * as OptionChain from "@effect-marketdata/core/OptionChain"
 *
 * const spread = ({ ask, bid }: Row<typeof OptionChain.spec, "ask" | "bid">) =>
 *   ask === null || bid === null ? null : ask - bid
 * spread({ ask: 2, bid: 1.5 }) // => 0.5
 * ```
 *
 * @since 0.1.0
 */
import type { ColumnKind } from "./ColumnKind.ts"

/**
 * One column. An `identity` column says what a row is about: it must be present and hold no null. A `nullable` column may hold null by
 * contract; in any other column null is a finding.
 *
 * @category models
 * @since 0.1.0
 */
export interface Column<out Vector = unknown, out Element = unknown> {
  readonly kind: ColumnKind<Vector, Element>
  readonly null: "identity" | "finding" | "nullable"
}

/**
 * The columns of a resource by name, in the order of the contract.
 *
 * @category models
 * @since 0.1.0
 */
export type ColumnSpec = { readonly [name: string]: Column }

/**
 * Returns a spec unchanged; throws `TypeError` for anything else, such as kinds of columns in place of columns.
 *
 * @internal
 */
export const known = <Spec extends ColumnSpec>(spec: Spec): Spec => {
  const columns: ReadonlyArray<{ readonly kind?: Partial<ColumnKind> } | null> = Object.values(spec ?? { spec })
  if (columns.every((column) => column?.kind?.storage)) return spec
  throw new TypeError("a spec must be columns by name, each with its kind, e.g. OptionChain.spec")
}

/**
 * The vectors of the named columns.
 *
 * @category models
 * @since 0.1.0
 */
export type Vectors<Spec extends ColumnSpec, Name extends keyof Spec = keyof Spec> = {
  readonly [K in Name]: Spec[K] extends Column<infer Vector, unknown> ? Vector : never
}

/**
 * A row with the named columns: an element is null where the reply had null; identity columns are never null.
 *
 * @category models
 * @since 0.1.0
 */
export type Row<Spec extends ColumnSpec, Name extends keyof Spec = keyof Spec> = {
  readonly [K in Name]: Spec[K] extends { readonly null: "identity"; readonly kind: ColumnKind<unknown, infer Element> }
    ? Element
    : Spec[K] extends Column<unknown, infer Element> ? Element | null
    : never
}
