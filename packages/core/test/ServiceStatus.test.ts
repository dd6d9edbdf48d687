import { Finding, Query, Reply, ServiceStatus } from "@effect-marketdata/core"
import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { forAll, trials } from "./support/depth.ts"

const runs = trials(13_3)

const parts = (length: number) => ({
  service: Array.from({ length }, (_, index) => `/v1/part/${index}/`),
  status: Array.from({ length }, (_, index) => index % 5 === 4 ? "offline" : "online"),
  online: Array.from({ length }, (_, index) => index % 5 !== 4),
  uptimePct30d: Array.from({ length }, (_, index) => 1 - index / 1000),
  uptimePct90d: Array.from({ length }, () => 0.9999),
  updated: Array.from({ length }, () => 1_703_048_400)
})

/** The reply of the docs: of two parts the name is missing. */
const documented = { s: "ok", ...parts(14), service: parts(12).service }

const body = (columns: object): string => JSON.stringify(columns)

it("keeps what the docs' own reply holds, whose columns differ in length, with both lengths", () => {
  const status = Result.getOrThrow(ServiceStatus.decode(body(documented)))
  assert.strictEqual(status.length, 14)
  assert.deepStrictEqual(Array.from(status, (row) => row.service), [...parts(12).service, null, null])
  assert.deepStrictEqual(Array.from(status, (row) => row.status), parts(14).status)
  assert.deepStrictEqual(Array.from(status, (row) => row.online), parts(14).online)
  assert.deepStrictEqual(Array.from(status.uptimePct30d), parts(14).uptimePct30d)
  assert.deepStrictEqual(status.findings.map(Finding.format), [
    "LengthMismatch in service: 2 rows, first row 12: expected 14 elements, as in status, received 12"
  ])
})

it("reads the same of a reply in pieces, and only the columns that are asked for", () => {
  const bytes = new TextEncoder().encode(body(documented))
  const { end, push } = ServiceStatus.decoder({ columns: ["service", "online"] })
  for (let at = 0; at < bytes.length; at += 50) assert.isTrue(push(bytes.subarray(at, at + 50)))
  const status = Result.getOrThrow(end())
  assert.deepInclude(status, { columnNames: ["service", "online"], length: 14 })
  assert.strictEqual(status.findings[0]?.examples[0]?.expected, "14 elements, as in online")
})

it("fills up whichever columns are shorter, and finds each", () => {
  const names = Object.keys(parts(0)) as Array<ServiceStatus.Column>
  const lengths = fc.tuple(...names.map(() => fc.nat({ max: 20 })))
  forAll(runs, lengths, (lengths) => {
    const columns = Object.fromEntries(names.map((name, at) => [name, parts(lengths[at]!)[name]]))
    const status = Result.getOrThrow(ServiceStatus.decode(body({ s: "ok", ...columns })))
    const longest = Math.max(...lengths)
    assert.strictEqual(status.length, longest)
    for (const [at, name] of names.entries()) {
      const values = Array.from({ length: longest }, (_, row) => status.valueAt(name, row))
      assert.deepStrictEqual<ReadonlyArray<unknown>>(values, [
        ...parts(lengths[at]!)[name],
        ...Array(longest - lengths[at]!).fill(null)
      ])
    }
    assert.sameMembers(
      status.findings.map(({ code, column, count }) => `${code} ${column} ${count}`),
      names.flatMap((name, at) => lengths[at] === longest ? [] : [`LengthMismatch ${name} ${longest - lengths[at]!}`])
    )
  })
})

it("fills up a column that is not there at all, which is another finding", () => {
  const { uptimePct90d: _, ...rest } = documented
  const status = Result.getOrThrow(ServiceStatus.decode(body({ ...rest, extra: 1 })))
  assert.isTrue(status.uptimePct90d.every(Number.isNaN))
  const found = status.findings.map(({ code, column }) => `${code} ${column}`)
  assert.sameMembers(found, ["LengthMismatch service", "MissingColumn uptimePct90d", "UnknownField extra"])
})

it("fails on it where every finding is an error, and on anything else that is wrong", () => {
  const failure = (columns: object, options?: { readonly strict: boolean }) =>
    Result.getOrThrow(Result.flip(ServiceStatus.decode(body(columns), options)))
  assert.strictEqual(failure(documented, { strict: true }).code, "LengthMismatch")
  assert.strictEqual(failure({ ...documented, online: ["yes"] }).code, "WrongType")
  assert.strictEqual(failure({ ...documented, s: "error" }).code, "NotOk")
})

it("fails on a reply that is many times longer than any of the service", () => {
  const long = { ...documented, ...parts(3000), service: parts(12).service }
  const error = Result.getOrThrow(Result.flip(ServiceStatus.decode(body(long))))
  assert.deepStrictEqual([error.code, error.received], ["LengthMismatch", "3000"])
})

it("is delivered by the reader of replies, with its finding", () => {
  const head = Reply.head({ status: 200, headers: { "content-type": "application/json" } })
  const reader = Reply.reader(Query.serviceStatus, head, { strict: false })
  reader.push(new TextEncoder().encode(body(documented)))
  const outcome = Reply.outcome(Query.serviceStatus, head, reader.end(), { receivedAt: 0, tokenSent: false })
  assert(outcome._tag === "Delivered")
  assert.strictEqual(outcome.data.length, 14)
  assert.deepStrictEqual(outcome.findings.map(({ code }) => code), ["LengthMismatch"])
})
