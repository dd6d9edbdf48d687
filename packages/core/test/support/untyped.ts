/** Values as code without types passes them: anything that JSON has, and what breaks whoever looks at it. */
import * as fc from "fast-check"
import { hostileText } from "./arbitraries.ts"

/** What a value answers that no code may look at. */
export const refuse = (): never => {
  throw new Error("not to be looked at")
}

/** A proxy that throws whatever is done with it. */
const closed = (): unknown =>
  new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse, getOwnPropertyDescriptor: refuse })

const revoked = (): unknown => {
  const { proxy, revoke } = Proxy.revocable<Array<unknown>>([], {})
  revoke()
  return proxy
}

const circle = (): unknown => {
  const self: Record<string, unknown> = {}
  self["self"] = self
  return self
}

const primitives = [undefined, null, NaN, -0, -5, 1.5, 1e300, Infinity, 10n, Symbol("symbol")]

/** Values of every kind that JSON does not have. Each object is made anew, so that nothing is remembered of it. */
export const exotic: ReadonlyArray<() => unknown> = [
  ...primitives.map((value) => () => value),
  () => () => "SPX",
  () => new Date(0),
  () => new Date(NaN),
  () => /./,
  () => new Map([["_tag", "Cached"]]),
  () => new Set(["SPX"]),
  () => new Error("SPX"),
  () => Promise.resolve("SPX"),
  () => new Uint8Array(3),
  () => Object("SPX"),
  () => Object.create(null),
  () => ["SPX", Symbol("member")],
  () => [[]],
  () => ({ toString: refuse, valueOf: refuse, toJSON: refuse }),
  () => ({ toString: undefined }),
  () => Object.defineProperty({}, "year", { enumerable: true, get: refuse }),
  () => ({ __proto__: { mode: "cached" } }),
  () => JSON.parse(`{"__proto__":{"mode":"cached"}}`),
  () => ({ _tag: "Cached", maxAge: closed() }),
  () => ({ _tag: Symbol("tag") }),
  () => ({ date: closed(), secondOfDay: 1n }),
  () => ({ from: closed(), to: 7 }),
  closed,
  revoked,
  circle
]

/** Makes any value. The values themselves are nothing to draw: fast-check looks into what it draws. */
export const anything: fc.Arbitrary<() => unknown> = fc.oneof(
  fc.constantFrom(...exotic),
  fc.oneof(
    fc.jsonValue(),
    hostileText,
    fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true })
  ).map((value) => () => value)
)
