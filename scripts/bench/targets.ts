/** What the benches ask a server for. */

/** A chain of so many contracts: the greatest number of strikes names the size. */
export const chain = (contracts: number): string => `/v1/options/chain/SPX/?expiration=all&strikeLimit=${contracts}`

/** One quote. */
export const quote = "/v1/stocks/quotes/AAPL/"

/** How many contracts the chains have. */
export const sizes = [92, 2000, 22_718] as const

/** The server at a port of this machine. */
export const origin = (port: number | string): string => `http://127.0.0.1:${port}`

/** An account that the sandbox knows. */
export const token = "sandbox-paid"

/** The headers of a request that is sent without the client. */
export const headers = { authorization: `Bearer ${token}`, accept: "application/json" }
