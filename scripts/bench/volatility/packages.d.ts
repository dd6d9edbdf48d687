/** What we call of two packages that bring no types. */
declare module "implied-volatility" {
  export const getImpliedVolatility: (
    ...option: [price: number, spot: number, strike: number, years: number, rate: number, side: "call" | "put"]
  ) => number
}

declare module "black-scholes" {
  export const blackScholes: (
    ...option: [spot: number, strike: number, years: number, volatility: number, rate: number, side: "call" | "put"]
  ) => number
}
