/**
 * What an endpoint is, as data: the rows from which questions, prices, access and readers are told. A row imports no decoder.
 *
 * @since 0.1.0
 */

/**
 * The price rule an endpoint falls under (clause 4-endpoint-kinds): option chains by 4.1; quotes, candles, bulk candles and other
 * endpoints by 8.2; `free` for the public service's account and status pages.
 *
 * @category models
 * @since 0.1.0
 */
export type CostKind = "chain" | "quotes" | "candles" | "bulkCandles" | "other" | "free"

/**
 * What the demo ticker opens without a token (clause 5.5-demo): any option of that underlying, the stock itself, the public service's
 * demo fund, or nothing.
 *
 * @category models
 * @since 0.1.0
 */
export type Demo = "option" | "stock" | "fund" | "none"

/**
 * One endpoint.
 *
 * - `stated`: whether the contract has it, or only the public service
 * - `versioned`: whether its path begins with `/v1/` (clause 9-version)
 * - `tokenless`: whether it never takes a token
 * - `cached`: whether cached data exist for it (clause 8.2-cached-unavailable)
 * - `columns`: the names of the array fields of its reply, in order
 * - `prices`: those of them that make a reply cost more than one credit on the public service
 *
 * @category models
 * @since 0.1.0
 */
export interface Endpoint<Name extends string = string, Column extends string = string> {
  readonly name: Name
  readonly kind: CostKind
  readonly stated: boolean
  readonly versioned: boolean
  readonly tokenless: boolean
  readonly demo: Demo
  readonly cached: boolean
  readonly columns: ReadonlyArray<Column>
  readonly prices: ReadonlyArray<Column>
}
