/** Services with a mistake: the sandbox, with each reply changed on its way out. */
import { Sandbox, SandboxReply } from "@effect-marketdata/sandbox"
import { Effect, Layer } from "effect"

/** How a service differs from the sandbox. */
interface Change {
  /** Another target is answered. */
  readonly target?: (target: string) => string
  /** Another reply is given. */
  readonly reply?: (reply: SandboxReply.SandboxReply, target: string) => SandboxReply.SandboxReply
  /** The data say something else. */
  readonly data?: (body: Body) => unknown
  /** It says that something else was consumed. */
  readonly credits?: (credits: number, target: string) => number
}

type Body = Record<string, unknown>

const consumed = "x-api-ratelimit-consumed"

const changed = ({ credits, data, reply: replied }: Change, reply: SandboxReply.SandboxReply, target: string) => {
  const other = replied?.(reply, target) ?? reply
  const told = other.headers[consumed]
  // What is left would contradict it.
  const { "x-api-ratelimit-remaining": _, ...rest } = other.headers
  const headers = told === undefined || credits === undefined
    ? other.headers
    : { ...rest, [consumed]: String(credits(Number(told), target)) }
  const isData = other.status === 200 || other.status === 203
  return isData && data !== undefined
    ? { ...other, headers, body: JSON.stringify(data(JSON.parse(SandboxReply.text(other)))) }
    : { ...other, headers }
}

/** The sandbox with a change. */
export const service = (change: Change): Layer.Layer<Sandbox.Sandbox> =>
  Layer.effect(
    Sandbox.Sandbox,
    Effect.map(Sandbox.Sandbox, (sandbox) =>
      Sandbox.Sandbox.of({
        ...sandbox,
        handle: (request) => {
          const target = change.target?.(request.target) ?? request.target
          return Effect.map(sandbox.handle({ ...request, target }), (reply) => changed(change, reply, request.target))
        }
      }))
  ).pipe(Layer.provide(Sandbox.layer()))

const error = (errmsg: string): string => JSON.stringify({ s: "error", errmsg })

const refused =
  (where: string, status: number, body = error("No.")) =>
  (reply: SandboxReply.SandboxReply, target: string): SandboxReply.SandboxReply =>
    target.includes(where) ? { status, headers: { "content-type": "application/json" }, body } : reply

const status = (from: number, to: number) => (reply: SandboxReply.SandboxReply): SandboxReply.SandboxReply =>
  reply.status === from ? { ...reply, status: to } : reply

/** One element of a column becomes another. */
const element = (name: string, change: (value: unknown) => unknown) => (body: Body): unknown => {
  const column = body[name]
  return Array.isArray(column) ? { ...body, [name]: column.with(0, change(column[0])) } : body
}

const ok = JSON.stringify({ s: "ok" })

/** Each mistake, and clauses that must be reported as broken. */
export const mistakes: ReadonlyArray<{
  readonly mistake: string
  readonly clauses: ReadonlyArray<string>
  readonly service: Change
}> = [
  {
    mistake: "a field is not an array",
    clauses: ["2.1-shape", "2.1-fields"],
    service: { data: (body) => ({ ...body, bid: 1 }) }
  },
  {
    mistake: "a column is one short",
    clauses: ["2.1-lengths"],
    service: { data: (body) => Array.isArray(body["vega"]) ? { ...body, vega: body["vega"].slice(1) } : body }
  },
  { mistake: "a field is new", clauses: ["2.1-closed"], service: { data: (body) => ({ ...body, rho: [] }) } },
  { mistake: "a side is a letter", clauses: ["2.1-side"], service: { data: element("side", () => "C") } },
  {
    mistake: "null where a value must be",
    clauses: ["2.1-only-last-null"],
    service: { data: element("gamma", () => null) }
  },
  {
    mistake: "mid is not in the middle",
    clauses: ["2.1-mid"],
    service: { data: element("mid", (mid) => Number(mid) + 1) }
  },
  { mistake: "dte is one too many", clauses: ["2.1-dte"], service: { data: element("dte", (dte) => Number(dte) + 1) } },
  {
    mistake: "what is in the money is said to be out",
    clauses: ["2.1-moneyness"],
    service: { data: element("inTheMoney", (is) => is !== true) }
  },
  {
    mistake: "options expire at noon",
    clauses: ["2.1-expiration"],
    service: { data: element("expiration", (time) => Number(time) - 4 * 3600) }
  },
  {
    mistake: "firstTraded is in milliseconds",
    clauses: ["2.1-first-traded"],
    service: { data: element("firstTraded", (time) => Number(time) * 1000) }
  },
  {
    mistake: "updated is tomorrow",
    clauses: ["2.1-updated", "8.2-timeliness"],
    service: { data: element("updated", (time) => Number(time) + 86_400) }
  },
  {
    mistake: "a symbol is of another strike",
    clauses: ["2.3-format"],
    service: { data: element("optionSymbol", (symbol) => String(symbol).replace(/\d{8}$/, "00000001")) }
  },
  {
    mistake: "errors have no body",
    clauses: ["2.2-error-body", "7.3-symbol-errmsg", "7.3-date-errmsg"],
    service: { reply: (reply) => reply.status >= 400 ? { ...reply, body: "" } : reply }
  },
  {
    mistake: "an error has a field more",
    clauses: ["2.2-error-body"],
    service: {
      reply: (reply) => reply.status === 400 ? { ...reply, body: `{"s":"error","errmsg":"No.","code":1}` } : reply
    }
  },
  {
    mistake: "chains are not found",
    clauses: ["4.1-path", "4.1-statuses", "8.2-modes", "8.3-maxage-forms"],
    service: { reply: refused("/options/chain/", 404, `{"detail":"Not found."}`) }
  },
  {
    mistake: "maxage is not known",
    clauses: ["4.1-params", "4.1-maxage-ignored", "7.3-url-shape"],
    service: { reply: refused("maxage=", 400) }
  },
  {
    mistake: "the date is ignored",
    clauses: ["4.1-date"],
    service: { target: (target) => target.replace(/\?date=.*$/, "") }
  },
  {
    mistake: "every quote is that of another option",
    clauses: ["4.2-quote"],
    service: { data: element("optionSymbol", () => "F261218C00010000") }
  },
  {
    mistake: "a lookup finds nothing to say",
    clauses: ["4.3-lookup"],
    service: { reply: (reply, target) => target.includes("/lookup/") ? { ...reply, body: ok } : reply }
  },
  {
    mistake: "the ticker is another",
    clauses: ["4.4-stock-quote", "4.5-prices", "4.5-bulk-candles"],
    service: { data: element("symbol", () => "IBM") }
  },
  {
    mistake: "nobody is asked for a token",
    clauses: ["5.1-token-everywhere", "5.7-401"],
    service: { reply: (reply) => reply.status === 401 ? { ...reply, status: 200, body: ok } : reply }
  },
  {
    mistake: "the demo wants a token",
    clauses: ["5.5-demo"],
    service: { reply: refused("/stocks/quotes/AAPL/", 401) }
  },
  {
    mistake: "the header is not looked at",
    clauses: ["5.3-header"],
    service: { reply: refused("/stocks/quotes/MSFT/", 400) }
  },
  {
    mistake: "203 is turned into 200",
    clauses: ["7.1-203", "7.2-not-mapped", "8.3-hit"],
    service: { reply: status(203, 200) }
  },
  {
    mistake: "a 204 is charged",
    clauses: ["7.1-204", "8.3-miss", "1-credits"],
    service: { credits: (credits, target) => target.includes("T12:00:00") ? 1 : credits }
  },
  {
    mistake: "what cannot be read is not found",
    clauses: [
      "2.3-bad-expiration",
      "2.3-bad-side",
      "2.3-bad-strike-length",
      "2.3-bad-strike-padding",
      "2.3-bad-strike-decimal",
      "2.3-legacy",
      "7.1-400",
      "7.3-cause-url",
      "7.3-cause-wrong-type",
      "7.3-cause-unsupported-value",
      "7.3-400-vs-404",
      "7.3-html-400"
    ],
    service: { reply: status(400, 404) }
  },
  {
    mistake: "what does not exist cannot be read",
    clauses: ["7.1-404", "7.3-400-vs-404"],
    service: { reply: status(404, 400) }
  },
  { mistake: "quotes answer with 202", clauses: ["7.2-success-set"], service: { reply: status(200, 202) } },
  {
    mistake: "the page for long lines is JSON",
    clauses: ["7.3-html-400"],
    service: {
      reply: (reply) =>
        reply.headers["content-type"]?.startsWith("text/html") === true
          ? { ...reply, headers: {}, body: error("Long.") }
          : reply
    }
  },
  {
    mistake: "past days are served as cached",
    clauses: ["8.2-cached-unavailable"],
    service: { target: (target) => target.replace(/\?mode=cached&date=.*$/, "?mode=cached") }
  },
  {
    mistake: "the version does not matter",
    clauses: ["9-version"],
    service: { target: (target) => target.startsWith("/v1/") ? target : `/v1${target}` }
  },
  {
    mistake: "a cached chain costs what a live one does",
    clauses: ["4.1-cost-cached"],
    service: { credits: (credits, target) => target.endsWith("?mode=cached") ? 2 : credits }
  },
  {
    mistake: "a live chain costs a credit",
    clauses: ["4.1-cost-live"],
    service: { credits: (credits, target) => target.includes("?mode=live&") ? 1 : credits }
  },
  {
    mistake: "a delayed chain costs a credit",
    clauses: ["4.1-cost-delayed"],
    service: { credits: (credits, target) => target.includes("?mode=delayed&") ? 1 : credits }
  },
  {
    mistake: "a live chain out of a cache costs a credit",
    clauses: ["7.2-203-price"],
    service: {
      reply: (reply, target) =>
        target.includes("?mode=live&") && reply.status === 200 ? { ...reply, status: 203 } : reply,
      credits: (credits, target) => target.includes("?mode=live&") ? 1 : credits
    }
  },
  {
    mistake: "everything costs five credits more",
    clauses: ["4.1-cost-historical", "8.2-cost-quotes", "8.2-cost-candles", "8.2-cost-bulk-candles", "8.2-cost-other"],
    service: { credits: (credits) => credits === 0 ? 0 : credits + 5 }
  }
]
