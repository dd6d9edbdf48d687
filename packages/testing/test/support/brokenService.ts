/** Services with a mistake: the sandbox, with each reply changed on its way out. */
import { Sandbox, SandboxReply } from "@effect-marketdata/sandbox"
import { noon } from "@effect-marketdata/testing/MarketDataTest"
import { Effect, Layer } from "effect"

/** How a service differs from the sandbox. */
interface Change {
  /** Another target is answered, or another request. */
  readonly target?: (target: string) => string
  readonly request?: (request: SandboxReply.SandboxRequest) => SandboxReply.SandboxRequest
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

/** The sandbox, with something else in the place of its methods. */
export const withSandbox =
  (change: (sandbox: Sandbox.Sandbox["Service"]) => Partial<Sandbox.Sandbox["Service"]>) =>
  (options: Sandbox.Options): Layer.Layer<Sandbox.Sandbox> =>
    Layer.effect(
      Sandbox.Sandbox,
      Effect.map(Sandbox.Sandbox, (sandbox) => Sandbox.Sandbox.of({ ...sandbox, ...change(sandbox) }))
    ).pipe(Layer.provide(Sandbox.layer(options)))

/** The sandbox with a change. */
export const service = (change: Change): Layer.Layer<Sandbox.Sandbox> =>
  withSandbox(({ handle }) => ({
    handle: (request) => {
      const { target } = request
      const asked = change.request?.(request) ?? { ...request, target: change.target?.(target) ?? target }
      return Effect.map(handle(asked), (reply) => changed(change, reply, target))
    }
  }))({})

const error = (errmsg: string): string => JSON.stringify({ s: "error", errmsg })

const refused =
  (where: string, status: number, body = error("No.")) =>
  (reply: SandboxReply.SandboxReply, target: string): SandboxReply.SandboxReply =>
    target.includes(where) ? { status, headers: { "content-type": "application/json" }, body } : reply

/** The body of a reply has something else in a place. */
export const within =
  (where: string, place: RegExp, other: string) =>
  (reply: SandboxReply.SandboxReply, target: string): SandboxReply.SandboxReply =>
    target.includes(where) ? { ...reply, body: SandboxReply.text(reply).replace(place, other) } : reply

const emptied = (where: string) => refused(where, 204, "")

export const status = (from: number, to: number) => (reply: SandboxReply.SandboxReply): SandboxReply.SandboxReply =>
  reply.status === from ? { ...reply, status: to } : reply

/** One element of a column becomes another. */
const element = (name: string, change: (value: unknown) => unknown) => (body: Body): unknown => {
  const column = body[name]
  return Array.isArray(column) ? { ...body, [name]: column.with(0, change(column[0])) } : body
}

/** Whoever asks for this is taken for the account. */
const paid = (where: RegExp) => (request: SandboxReply.SandboxRequest): SandboxReply.SandboxRequest =>
  where.test(request.target) ? { ...request, headers: { authorization: "Bearer sandbox-paid" } } : request

const ok = JSON.stringify({ s: "ok" })

/** Each mistake, and clauses that must be reported as broken. */
export const mistakes: ReadonlyArray<readonly [mistake: string, clauses: ReadonlyArray<string>, service: Change]> = [
  ["a field is not an array", ["2.1-shape", "2.1-fields"], { data: (body) => ({ ...body, bid: 1 }) }],
  ["a chain has no status", ["2.1-fields"], { data: (body) => ({ ...body, s: undefined }) }],
  ["a column is one short", ["2.1-lengths"], {
    data: (body) => Array.isArray(body["vega"]) ? { ...body, vega: body["vega"].slice(1) } : body
  }],
  ["symbols are of another underlying", ["2.3-format"], { reply: within("/chain/", /"MSFT(?=\d)/g, "\"IBM") }],
  ["iv is NaN", ["2.1-shape"], { reply: within("/chain/", /"iv":\[[^,]*/, "\"iv\":[NaN") }],
  ["firstTraded is a day in digits", ["2.1-first-traded"], { data: element("firstTraded", () => 20_261_120) }],
  ["each candle is billed", ["8.2-cost-candles"], {
    credits: (credits, target) => target.includes("from=2026-11-06&to=2026-11-13") ? 6 * credits : credits
  }],
  ["a side is a letter", ["2.1-side"], { data: element("side", () => "C") }],
  ["null where a value must be", ["2.1-only-last-null"], { data: element("gamma", () => null) }],
  ["bid is ask", ["2.1-fields"], { data: (body) => ({ ...body, bid: body["ask"], ask: body["bid"] }) }],
  ["a quote is of the other side", ["4.2-quote"], { data: element("side", (side) => side === "put" ? "call" : "put") }],
  ["mid is not in the middle", ["2.1-mid"], { data: element("mid", (mid) => Number(mid) + 1) }],
  ["dte is one too many", ["2.1-dte"], { data: element("dte", (dte) => Number(dte) + 1) }],
  ["what is in the money is said to be out", ["2.1-moneyness"], { data: element("inTheMoney", (is) => is !== true) }],
  ["options expire at noon", ["2.1-expiration"], { data: element("expiration", (time) => Number(time) - 4 * 3600) }],
  ["a field is new, and firstTraded is in milliseconds", ["2.1-closed", "2.1-first-traded"], {
    data: (body) => element("firstTraded", (time) => Number(time) * 1000)({ ...body, rho: [] })
  }],
  ["updated is tomorrow", ["2.1-updated", "8.2-timeliness"], {
    data: element("updated", (time) => Number(time) + 86_400)
  }],
  ["a symbol is of another strike", ["2.3-format"], {
    data: element("optionSymbol", (symbol) => String(symbol).replace(/\d{8}$/, "00000001"))
  }],
  ["errors have no body", ["2.2-error-body", "7.3-symbol-errmsg", "7.3-date-errmsg"], {
    reply: (reply) => reply.status >= 400 ? { ...reply, body: "" } : reply
  }],
  ["an error has a field more", ["2.2-error-body"], {
    reply: (reply) => reply.status === 400 ? { ...reply, body: `{"s":"error","errmsg":"No.","code":1}` } : reply
  }],
  ["chains are not found", ["4.1-path", "4.1-statuses", "8.2-modes", "8.3-maxage-forms"], {
    reply: refused("/options/chain/", 404, `{"detail":"Not found."}`)
  }],
  ["a live chain comes without content", ["4.1-statuses"], { reply: emptied("?mode=live&") }],
  ["a live chain has no bids, and costs a credit", ["2.1-fields", "4.1-cost-live"], {
    reply: within("?mode=live&", /bid/, "bad"),
    credits: (credits, target) => target.includes("?mode=live&") ? 1 : credits
  }],
  ["a delayed chain comes without content", ["4.1-statuses"], { reply: emptied("?mode=delayed&") }],
  ["the chain of a past day comes without content", ["4.1-statuses"], { reply: emptied("?date=2026-11-1") }],
  ["candles of several tickers come without content", ["7.2-success-set"], { reply: emptied("/bulkcandles/") }],
  ["a chain is that of another underlying", ["4.1-path"], {
    target: (target) => target.replace("/chain/MSFT/", "/chain/AAPL/")
  }],
  ["maxage is not known", ["4.1-params", "4.1-maxage-ignored", "7.3-url-shape"], { reply: refused("maxage=", 400) }],
  ["the date is ignored", ["4.1-date"], { target: (target) => target.replace(/\?date=.*$/, "") }],
  ["every quote is that of another option", ["4.2-quote"], { data: element("optionSymbol", () => "F261218C00010000") }],
  ["a quote comes with that of another option", ["4.2-quote"], {
    data: (body) => ({ ...body, rival: "F261218C00010000" })
  }],
  ["some symbols are refused in other words, and a date that is none with a page", [
    "7.3-symbol-errmsg",
    "2.2-error-body"
  ], { reply: (reply, target) => refused("date=soon", 400, "No.")(refused("IBMAT", 400)(reply, target), target) }],
  ["no moment is old enough for what is cached", ["8.3-hit"], { reply: emptied("maxage=2026-11-13") }],
  ["a lookup finds nothing to say", ["4.3-lookup"], { reply: within("/lookup/", /.+/, ok) }],
  ["the ticker is another", ["4.4-stock-quote", "4.5-prices", "4.5-bulk-candles"], {
    data: element("symbol", () => "IBM")
  }],
  ["nobody is asked for a token", ["5.1-token-everywhere", "5.7-401"], {
    reply: (reply) => reply.status === 401 ? { ...reply, status: 200, body: ok } : reply
  }],
  ["a chain is for all", ["5.1-token-everywhere"], { request: paid(/chain/) }],
  ["the demo is live, also with a wrong token", ["5.5-demo", "5.7-401"], { request: paid(/quotes.AAPL/) }],
  ["a list with the demo ticker is for all", ["5.7-401"], { request: paid(/AAPL,/) }],
  ["options of the demo ticker want a token", ["5.5-demo"], { reply: refused("/chain/AAPL/", 401) }],
  ["minutes are not a maxage", ["8.3-maxage-forms"], { reply: refused("maxage=5min", 400) }],
  ["the demo wants a token", ["5.5-demo"], { reply: refused("/stocks/quotes/AAPL/", 401) }],
  ["the header is not looked at", ["5.3-header"], { reply: refused("/stocks/quotes/MSFT/", 400) }],
  ["203 is turned into 200", ["7.1-203", "7.2-not-mapped", "8.3-hit"], { reply: status(203, 200) }],
  ["a 204 is charged", ["7.1-204", "8.3-miss", "1-credits"], {
    credits: (credits, target) => target.includes("T12:00:00") ? 1 : credits
  }],
  ["data cost two where their age is bounded", ["8.3-hit", "8.2-cost-quotes"], {
    credits: (credits, target) => target.includes("maxage=") ? 2 * credits : credits
  }],
  ["a cached miss is not found", ["8.3-miss"], {
    reply: (reply) => reply.status === 204 ? { ...reply, status: 404, body: JSON.stringify({ s: "no_data" }) } : reply
  }],
  ["what cannot be read is not found", [
    ...["expiration", "side", "strike-length", "strike-padding", "strike-decimal"].map((what) => `2.3-bad-${what}`),
    ...["cause-url", "cause-wrong-type", "cause-unsupported-value", "400-vs-404", "html-400"].map((what) =>
      `7.3-${what}`
    ),
    "2.3-legacy",
    "7.1-400"
  ], { reply: status(400, 404) }],
  ["what does not exist cannot be read", ["7.1-404", "7.3-400-vs-404"], { reply: status(404, 400) }],
  ["quotes answer with 202", ["7.2-success-set"], { reply: status(200, 202) }],
  ["the page for long lines is JSON", ["7.3-html-400"], {
    reply: (reply) =>
      reply.headers["content-type"]?.startsWith("text/html") === true
        ? { ...reply, headers: {}, body: error("Long.") }
        : reply
  }],
  ["a line of 4094 bytes is too long", ["7.3-html-400"], {
    reply: (reply, target) => target.length === 4081 ? SandboxReply.requestLineTooLarge(4094, 4094) : reply
  }],
  ["Saturdays have Friday's chain, and lookups and candles are cached", ["4.1-date", "8.2-cached-unavailable"], {
    target: (target) =>
      target.replace("date=2026-11-07", "date=2026-11-06").replace(/(lookup|candles)(.*)[?&]mode=cached$/, "$1$2")
  }],
  ["past days are served as cached", ["8.2-cached-unavailable"], {
    target: (target) => target.replace(/\?mode=cached&date=.*$/, "?mode=cached")
  }],
  ["the version does not matter", ["9-version"], {
    target: (target) => target.startsWith("/v1/") ? target : `/v1${target}`
  }],
  ["a cached chain costs what a live one does", ["4.1-cost-cached"], {
    credits: (credits, target) => target.endsWith("?mode=cached") ? 2 : credits
  }],
  ["any chain costs a credit, one row is of now", ["4.1-cost-live", "4.1-cost-delayed", "8.2-timeliness"], {
    reply: within("?mode=delayed&", /"updated":\[(\d+),\d+/, `"updated":[$1,${noon}`),
    credits: (credits, target) => /\?mode=(live|delayed)&/.test(target) ? 1 : credits
  }],
  ["a live chain out of a cache costs a credit", ["7.2-203-price"], {
    reply: (reply, target) =>
      target.includes("?mode=live&") && reply.status === 200 ? { ...reply, status: 203 } : reply,
    credits: (credits, target) => target.includes("?mode=live&") ? 1 : credits
  }],
  ["everything costs five credits more, and a column of a past day is one short", [
    "2.1-lengths",
    "4.1-cost-historical",
    "8.2-cost-quotes",
    "8.2-cost-candles",
    "8.2-cost-bulk-candles",
    "8.2-cost-other"
  ], { reply: within("?date=", /"vega":\[[^,]*,/, `"vega":[`), credits: (credits) => credits === 0 ? 0 : credits + 5 }]
]
