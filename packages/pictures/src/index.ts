/**
 * All modules of this package by name.
 *
 * @module @effect-marketdata/pictures
 * @since 0.1.0
 */
export * as ChainView from "./chain/ChainView.ts"
export * as Chart from "./chart/Chart.ts"
export * as Ladder from "./chain/Ladder.ts"
export * as Page from "./page/Page.ts"
export * as Picture from "./chart/Picture.ts"
export * as TextChart from "./chart/TextChart.ts"
