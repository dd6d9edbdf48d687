import { Sandbox, SandboxClock, SandboxServer } from "@effect-marketdata/sandbox"
import type { SandboxReply, SandboxRequest } from "@effect-marketdata/sandbox/SandboxReply"
import { Deferred, Effect, Fiber, Layer } from "effect"
import * as Net from "node:net"
import * as OperatingSystem from "node:os"
import { isFull } from "../../core/test/support/depth.ts"
import { assert, describe, it } from "../../core/test/support/it.ts"
import * as RawSocket from "./rawSocket.ts"

const server = (options?: SandboxServer.Options) =>
  Layer.provideMerge(SandboxServer.layer(options), Sandbox.layer({ seed: 1 }))

const account = { billed: Effect.succeed(0), requests: Effect.succeed([]), statement: () => Effect.die("unasked") }

/** A server before a service that answers as a test says. */
const serving = (handle: (request: SandboxRequest) => Effect.Effect<SandboxReply>, options?: SandboxServer.Options) =>
  Layer.provide(
    SandboxServer.layer(options),
    Layer.succeed(Sandbox.Sandbox, { ...account, profile: "contract", handle })
  )

const baseUrl = Effect.map(SandboxServer.SandboxServer, ({ baseUrl }) => baseUrl)

const exchange = (request: string, replies?: number, options?: RawSocket.Options) =>
  Effect.flatMap(baseUrl, (url) => RawSocket.exchange(url, request, replies, options))

const get = RawSocket.get
const bearer = "Authorization: Bearer sandbox-paid"
/** A request behind which the connection stays open. */
const first = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
const chain = "/v1/options/chain/AAPL/?columns=strike&mode=cached"
const text = (body: SandboxReply["body"]): SandboxReply => ({
  status: 200,
  headers: { "content-type": "text/plain" },
  body
})

it.live("serves the sandbox on a free port of this machine", function*() {
  assert.match(yield* baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/)
  const reply = yield* exchange(get(chain, bearer))
  assert.match(reply, /^HTTP\/1\.1 203 /)
  assert.match(reply, /x-api-ratelimit-consumed: 1\r\n/i)
  assert.strictEqual(yield* (yield* Sandbox.Sandbox).billed, 1)
}, server())

describe("where it listens", () => {
  for (const host of ["0.0.0.0", "::", "example.com", "127.evil.com"]) {
    it.live(`refuses ${host}, which others can reach, unless told to`, function*() {
      const error = yield* Effect.flip(Effect.scoped(Layer.build(server({ host }))))
      assert.strictEqual(error._tag, "ListenError")
      assert.include(error.message, "anyHost")
    })
  }

  it.live("says when its port is taken", function*() {
    const port = Number(new URL(yield* baseUrl).port)
    const error = yield* Effect.flip(Effect.scoped(Layer.build(server({ port }))))
    assert.include(error.message, `127.0.0.1:${port}: another program listens there. Choose another port, or 0`)
  }, server())
})

describe("the names that it answers to", () => {
  const named = (host: string, target = chain) =>
    [`GET ${target} HTTP/1.1`, `Host: ${host}`, bearer, "Connection: close", "", ""].join("\r\n")
  const statusOf = Effect.fnUntraced(function*(request: string, options?: RawSocket.Options) {
    return RawSocket.statuses(yield* exchange(request, undefined, options))[0]
  })

  for (const host of ["127.0.0.1", "127.8.9.10:1", "localhost", "LocalHost.:8080", "[::1]", "[::1]:80"]) {
    it.live(`are those of this machine: ${host}`, function*() {
      assert.strictEqual(yield* statusOf(named(host)), 203)
      assert.strictEqual(yield* statusOf(named(host, `http://${host}${chain}`)), 203)
    }, server())
  }

  const rebound = ["rebound.example", "127.0.0.1.rebound.example", "localhost.rebound.example:8080"]
  const unlike = ["127.0.0.1@rebound.example", "rebound.example,127.0.0.1", "192.0.2.1", "[2001:db8::1]:80", "[::1", ""]
  const hosts = [...rebound, ...unlike]
  for (const host of hosts) {
    it.live(`are not ${host === "" ? "nothing at all" : host}: 421 that says what to do, and nothing is billed`, () =>
      Effect.gen(function*() {
        for (const target of [chain, "/", "/sandbox/clock"]) {
          const reply = yield* exchange(named(host, target))
          assert.deepStrictEqual(RawSocket.statuses(reply), [421])
          const { errmsg, s } = JSON.parse(reply.slice(reply.indexOf("\r\n\r\n")))
          assert.strictEqual(s, "error")
          assert.include(errmsg, "--allowed-host NAME")
        }
        // A whole address in the request line says who is meant, whatever the field says.
        if (host !== "") assert.strictEqual(yield* statusOf(named("127.0.0.1", `http://${host}${chain}`)), 421)
        assert.strictEqual(yield* statusOf(named(host, "http://127.0.0.1/")), 421)
        const { billed, requests } = yield* Sandbox.Sandbox
        assert.deepStrictEqual([yield* billed, yield* requests], [0, []])
      }).pipe(Effect.provide(server())))
  }

  it.live("are more where it is told so", function*() {
    const own = ["sandbox", "SANDBOX:8080", "sandbox.", "box.test", "[2001:db8::1]:80", "localhost"]
    for (const host of [...own, "a.sandbox", "sandbox.test", "test"]) {
      assert.strictEqual(yield* statusOf(named(host)), own.includes(host) ? 203 : 421, host)
    }
  }, server({ allowedHosts: ["Sandbox", "box.test.", "[2001:DB8::1]"] }))

  it.live("are the address that a client has reached, where it listens on all of them", function*() {
    const own = Object.values(OperatingSystem.networkInterfaces()).flat()
      .find((address) => address?.family === "IPv4" && !address.internal)?.address ?? "127.0.0.1"
    const { port } = new URL(yield* baseUrl)
    const reply = yield* RawSocket.exchange(`http://${own}:${port}`, named(`${own}:${port}`), undefined, {
      localAddress: own
    })
    assert.deepStrictEqual(RawSocket.statuses(reply), [203])
    const elsewhere = yield* RawSocket.exchange(`http://127.0.0.1:${port}`, named("192.0.2.1"))
    assert.deepStrictEqual(RawSocket.statuses(elsewhere), [421])
  }, server({ host: "0.0.0.0", anyHost: true }))

  it.live("need not be there in HTTP/1.0, which no browser speaks", function*() {
    assert.strictEqual(yield* statusOf(`GET ${chain} HTTP/1.0\r\n${bearer}\r\n\r\n`), 203)
    assert.strictEqual(yield* statusOf(`GET ${chain} HTTP/1.0\r\nHost: rebound.example\r\n${bearer}\r\n\r\n`), 421)
  }, server())

  it.live("are quoted without what a terminal would obey", function*() {
    const reply = yield* exchange(named("\u009b2J\"\u00ad"))
    assert.match(reply, /^HTTP\/1\.1 421 [^\u0080-\u009f\u00ad]*$/)
  }, server())

  for (const json of [`"sandbox"`, "null", `[""]`, `["http://box"]`, `["sandbox:80"]`, "[7]", `["a b"]`, `["*"]`]) {
    it.live(`cannot be ${json}`, function*() {
      const error = yield* Effect.flip(Effect.scoped(Layer.build(server({ allowedHosts: JSON.parse(json) }))))
      assert.strictEqual(error._tag, "ListenError")
      assert.match(error.message, /allowedHosts .* must be .*, e\.g\. \["sandbox\.internal"\]\./)
    })
  }
})

describe("a page of another origin", () => {
  const own = ["http://localhost:5173", "https://app.test"]
  for (const origin of [...own, "http://localhost.app.test", "null"]) {
    const isOwn = own.includes(origin)
    it.live(`${isOwn ? "reads replies, and may send a token" : "reads nothing"}: ${origin}`, function*() {
      const asked = (field: string) => exchange(get(chain, `Origin: ${origin}`, field))
      const preflight = get(chain, `Origin: ${origin}`, "Access-Control-Request-Method: GET").replace("GET", "OPTIONS")
      const replies = [yield* asked(bearer), yield* asked("Authorization: Bearer none"), yield* exchange(preflight)]
      assert.deepStrictEqual(replies.flatMap(RawSocket.statuses), [203, 401, 200])
      assert.match(replies[2]!, /\r\naccess-control-allow-headers: [^\r]*authorization/)
      for (const reply of replies) assert.strictEqual(reply.includes("access-control-allow-origin: *\r\n"), isOwn)
      assert.strictEqual(yield* (yield* Sandbox.Sandbox).billed, 1)
    }, server({ allowedHosts: ["app.test"] }))
  }
})

describe("what it hands on", () => {
  it.live("the target as it was written, without the address before it", function*() {
    const cases = [
      ["/a/%2e%2E/b?c=%20", "/a/%2e%2E/b?c=%20"],
      ["//a//", "//a//"],
      ["http://127.0.0.1/a?b=http://c/", "/a?b=http://c/"]
    ] as const
    for (const [sent, seen] of cases) {
      assert.match(yield* exchange(get(sent)), new RegExp(`target<${seen.replaceAll("?", "\\?")}>$`))
    }
  }, serving(({ target }) => Effect.succeed(text(`target<${target}>`))))

  it.live("the address that the client connects from", function*() {
    for (const localAddress of ["127.0.0.1", "127.0.0.2", "127.1.2.3"]) {
      assert.match(yield* exchange(get("/a"), undefined, { localAddress }), new RegExp(`from<${localAddress}>$`))
    }
  }, serving(({ address }) => Effect.succeed(text(`from<${address}>`))))

  it.live("header names in lower case, without what objects inherit", function*() {
    const reply = yield* exchange(get("/a", "X-OWN: 1"))
    assert.match(reply, /1,undefined$/)
  }, serving(({ headers }) => Effect.succeed(text(`${headers["x-own"]},${headers["constructor"]}`))))
})

describe("the request line", () => {
  const line = (bytes: number) => get(`/${"x".repeat(bytes - "GET / HTTP/1.1".length)}`)

  for (const bytes of [4095, 4316, 20_000, 40_000, 70_000, 200_000, 1_000_000]) {
    it.live(`[7.3-html-400] states the true size of a line of ${bytes} bytes, also where Node's own limit strikes first`, () =>
      Effect.gen(function*() {
        const whole = yield* exchange(line(bytes))
        assert.match(whole, /^HTTP\/1\.1 400 /)
        assert.match(whole, /content-type: text\/html\r\n/i)
        assert.include(whole, `Request Line is too large (${bytes} &gt; 4094)`)
        // However it is cut on the way, and behind a request on the same connection that was answered.
        for (const size of [1500, 33_000]) {
          for (const before of [undefined, first]) {
            const pieces = yield* RawSocket.inPieces(yield* baseUrl, line(bytes), size, before)
            assert.include(pieces, `Request Line is too large (${bytes} &gt; 4094)`)
          }
        }
        const body = whole.slice(whole.indexOf("\r\n\r\n") + 4)
        assert.strictEqual(body.match(/\(\d+ &gt; \d+\)/g)?.length, 1)
        assert.deepStrictEqual(yield* (yield* Sandbox.Sandbox).requests, [])
      }).pipe(Effect.provide(server())))
  }

  it.live("[7.3-html-400] states the size with a method of any length, and of a line over a million bytes what was read of it", () =>
    Effect.gen(function*() {
      const target = `/${"x".repeat(50_000)}`
      for (const method of ["DELETE", "PROPFIND"]) {
        const bytes = `${method} ${target} HTTP/1.1`.length
        const reply = yield* exchange(get(target).replace("GET", method))
        assert.include(reply, `Request Line is too large (${bytes} &gt; 4094)`)
      }
      // What cannot be read otherwise is too long before it is anything else.
      const long = get(`/${"x".repeat(5000)}`, "Expect: miracles")
      const odds = [
        long,
        long.replace("GET", "FETCH"),
        long.replace("GET /", "CONNECT "),
        long.replace("/x", "/\x01x"),
        long.replace("Host: 127.0.0.1\r\n", "")
      ]
      for (const odd of odds) {
        const bytes = odd.indexOf("\r\n")
        assert.include(yield* exchange(odd), `Request Line is too large (${bytes} &gt; 4094)`)
      }
      for (const before of [undefined, first]) {
        const reply = yield* RawSocket.inPieces(yield* baseUrl, line(3_000_000), 50_000, before)
        const bytes = Number(/Request Line is too large \((\d+) &gt; 4094\)/.exec(reply)?.[1])
        assert.isAtLeast(bytes, 1_000_000)
        assert.isAtMost(bytes, 3_000_000)
      }
    }).pipe(Effect.provide(server())))

  it.live("[7.3-html-400] has the limit that a test wants", function*() {
    assert.deepStrictEqual(RawSocket.statuses(yield* exchange(line(100))), [404])
    assert.include(yield* exchange(line(101)), "Request Line is too large (101 &gt; 100)")
  }, server({ requestLineLimit: 100 }))
})

const million = "x".repeat(1_000_000)

/** Parts that never end, and when the first one was asked for, and none any more. */
const endless = Effect.gen(function*() {
  const [begun, ended] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const run = Effect.runForkWith(yield* Effect.context())
  const parts = function*() {
    try {
      run(Deferred.succeed(begun, undefined))
      for (;;) yield million
    } finally {
      run(Deferred.succeed(ended, undefined))
    }
  }
  return { begun, ended, parts }
})

describe("bodies in parts", () => {
  it.live("come in the order and at the pace in which they are read", function*() {
    const made = { parts: 0 }
    const parts = function*() {
      for (; made.parts < 200; made.parts++) yield million
    }
    const reached = yield* Effect.gen(function*() {
      const url = new URL(yield* baseUrl)
      return yield* Effect.callback<number>((resume) => {
        const socket = Net.connect(Number(url.port), url.hostname, () => socket.write(get("/a")))
        // Whoever has read the head and nothing else for a while lets the sender run as far ahead as it will.
        socket.once("data", () => {
          socket.pause()
          setTimeout(() => {
            resume(Effect.succeed(made.parts))
            socket.destroy()
          }, 50)
        })
      })
    }).pipe(Effect.provide(serving(() => Effect.succeed(text(parts())))))
    assert.isAtMost(reached, 50)
  })

  it.live("leave between any two the time to answer others", function*() {
    const answered = new Set<string>()
    const parts = function*() {
      for (let part = 0; part < 100_000 && !answered.has("/short"); part++) yield ""
      yield `others were answered: ${answered.has("/short")}`
    }
    const handle = ({ target }: SandboxRequest) => {
      answered.add(target)
      return Effect.succeed(text(target === "/short" ? "short" : parts()))
    }
    const [long] = yield* Effect.all([exchange(get("/long")), exchange(get("/short"))], {
      concurrency: "unbounded"
    }).pipe(Effect.provide(serving(handle)))
    assert.include(long, "others were answered: true")
  })

  it.live("stop being made when the client hangs up", function*() {
    const { begun, ended, parts } = yield* endless
    yield* Effect.gen(function*() {
      yield* Effect.race(exchange(get("/a"), 1), Deferred.await(begun))
      yield* Deferred.await(ended)
    }).pipe(Effect.provide(serving(() => Effect.succeed(text(parts())))))
  })
})

it.live("ends open connections when its scope closes, and the work for them", function*() {
  const started = yield* Deferred.make<void>()
  const handle = () => Effect.andThen(Deferred.succeed(started, undefined), Effect.never)
  const url = yield* Deferred.make<string>()
  const close = yield* Deferred.make<void>()
  const received = yield* Effect.all([
    Effect.gen(function*() {
      yield* Deferred.succeed(url, yield* baseUrl)
      yield* Deferred.await(close)
    }).pipe(Effect.provide(serving(handle))),
    Effect.flatMap(Deferred.await(url), (url) => RawSocket.exchange(url, get("/a"))),
    Effect.andThen(Deferred.await(started), Deferred.succeed(close, undefined))
  ], { concurrency: "unbounded" })
  assert.strictEqual(received[1], "")
})

describe("a defect", () => {
  it.live("is a 500 that says nothing about it, and the next request is answered", () =>
    Effect.gen(function*() {
      const reply = yield* exchange(get("/defect"))
      assert.deepStrictEqual(RawSocket.statuses(reply), [500])
      assert.notInclude(reply, "the secret of the defect")
      assert.deepStrictEqual(RawSocket.statuses(yield* exchange(get("/thrown"))), [500])
      assert.deepStrictEqual(RawSocket.statuses(yield* exchange(get("/a"))), [200])
    }).pipe(Effect.provide(serving(({ target }) => {
      if (target === "/thrown") throw new Error("out of the blue")
      return target === "/defect" ? Effect.die(new Error("the secret of the defect")) : Effect.succeed(text("fine"))
    }))))

  it.live("within a body ends the connection, so that nobody takes half for the whole", () =>
    Effect.gen(function*() {
      const reply = yield* exchange(get("/a"))
      assert.include(reply, "half")
      assert.notMatch(reply, /\r\n0\r\n\r\n$/)
    }).pipe(Effect.provide(serving(() =>
      Effect.succeed(text((function*() {
        yield "half"
        throw new Error("no more")
      })()))
    ))))
})

describe("compression", () => {
  const long = "strike ".repeat(1000)
  const accepting = (encoding: string) => get("/a", `Accept-Encoding: ${encoding}`)
  for (const encoding of ["gzip", "br, gzip", "GZIP;q=0.5", "*", "deflate, gzip;q=1.0, *;q=0.5"]) {
    it.live(`is used for ${encoding}`, function*() {
      const reply = yield* exchange(accepting(encoding))
      assert.match(reply, /content-encoding: gzip\r\n/i)
      assert.match(reply, /vary: accept-encoding\r\n/i)
      const url = yield* baseUrl
      const read = yield* Effect.promise(() => fetch(url + "/a").then((response) => response.text()))
      assert.strictEqual(read, long + long)
    }, serving(() => Effect.succeed(text([long, long]))))
  }

  for (const encoding of ["identity", "br", "gzip;q=0", "gzip;q=0.000, br", "gzip;q=0, *", ""]) {
    it.live(`is not used for ${encoding === "" ? "nothing" : encoding}`, function*() {
      const reply = yield* exchange(accepting(encoding))
      assert.notMatch(reply, /content-encoding/i)
      assert.include(reply, long)
    }, serving(() => Effect.succeed(text(long))))
  }

  it.live("is not used for what is short", function*() {
    assert.match(yield* exchange(accepting("gzip")), /content-length: 5\r\n[^]*short$/i)
  }, serving(() => Effect.succeed(text("short"))))
})

describe("clients that take their time", () => {
  /** What a client receives that sends this and then waits for the server to end the connection. */
  const waiting = (sent: string, options?: { readonly isDeaf?: boolean }) =>
    Effect.flatMap(baseUrl, (url) => RawSocket.untilEnded(url, sent, options))

  it.live("are told 408 when they have sent a head without an end, and are cut off though they do not hang up", () =>
    Effect.gen(function*() {
      const head = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nx-a"
      assert.deepStrictEqual(RawSocket.statuses(yield* waiting(head)), [408])
      // Who has sent nothing is cut off two seconds later, which is long for a test.
      assert.deepStrictEqual(RawSocket.statuses(yield* (isFull ? waiting("") : exchange("", 1))), [408])
    }).pipe(Effect.provide(server({ limits: { headMillis: 50 } }))))

  it.live("are told 408 when the body of their request does not come", function*() {
    const sent = "PUT /sandbox/faults HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n["
    assert.match(yield* waiting(sent), /^HTTP\/1\.1 4\d\d /)
  }, server({ limits: { headMillis: 50, requestMillis: 100 } }))

  it.live("are cut off when they do not read, and what was made for them ends", function*() {
    const { ended, parts } = yield* endless
    yield* Effect.gen(function*() {
      const client = yield* Effect.forkChild(waiting(get("/a"), { isDeaf: true }))
      yield* Deferred.await(ended)
      yield* Fiber.interrupt(client)
    }).pipe(Effect.provide(serving(() => Effect.succeed(text(parts())), { limits: { readMillis: 100 } })))
  })

  it.live("give way to others when there are too many: the oldest that waits for nothing goes first", function*() {
    const silent = yield* Effect.forkChild(waiting(""))
    yield* Effect.promise(() => new Promise(setImmediate))
    // As many as there may be besides, each of which stays open.
    const replies = yield* Effect.all(Array.from({ length: 8 }, () => exchange(first, 1)), { concurrency: "unbounded" })
    assert.deepStrictEqual(replies.flatMap(RawSocket.statuses), Array.from({ length: 8 }, () => 200))
    yield* Fiber.interrupt(silent)
  }, server({ limits: { connections: 8 } }))

  it.live("and send a thousand requests at once have one answered at a time", function*() {
    const made = { most: 0, now: 0, all: 0 }
    const handle = Effect.fnUntraced(function*() {
      made.most = Math.max(made.most, ++made.now)
      made.all++
      yield* Effect.yieldNow
      made.now--
      return text("fine\n")
    })
    yield* Effect.gen(function*() {
      const sent = `${"GET /a HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".repeat(999)}${get("/a")}`
      assert.strictEqual(RawSocket.statuses(yield* exchange(sent)).length, 1000)
    }).pipe(Effect.provide(serving(handle)))
    assert.deepStrictEqual(made, { most: 1, now: 0, all: 1000 })
  })

  it.live("and hang up have no more of their requests answered", function*() {
    let begun = 0
    const [started, interrupted] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const handle = () =>
      Effect.andThen(Effect.sync(() => begun++), Deferred.succeed(started, undefined)).pipe(
        Effect.andThen(Effect.never),
        Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
      )
    yield* Effect.gen(function*() {
      yield* Effect.race(exchange(get("/a").replace("close", "keep-alive").repeat(100)), Deferred.await(started))
      yield* Deferred.await(interrupted)
      yield* Effect.promise(() => new Promise(setImmediate))
    }).pipe(Effect.provide(serving(handle)))
    assert.strictEqual(begun, 1)
  })

  for (const json of [`{"headMillis":0}`, `{"readMillis":"10"}`, `{"connections":1.5}`, `{"requestMillis":null}`]) {
    it.live(`cannot be limited by ${json}`, function*() {
      const error = yield* Effect.flip(Effect.scoped(Layer.build(server({ limits: JSON.parse(json) }))))
      assert.match(error.message, /limits\.\w+ \S+ must be a positive integer, e\.g\. 10000\./)
    })
  }
})

it.live("tells the date of the sandbox's clock", function*() {
  assert.match(yield* exchange(get(chain)), /date: Fri, 20 Nov 2026 17:00:00 GMT\r\n/i)
}, Layer.provide(server(), SandboxClock.layer({ pace: "frozen", at: 1_795_194_000 })))

it.live("has a start page that shows where to point a client, the paths, the accounts, and no script", function*() {
  const reply = yield* exchange(get("/"))
  assert.match(reply, /^HTTP\/1\.1 200 [^]*content-type: text\/html/i)
  assert.include(reply, "MARKETDATA_BASE_URL=http://127.0.0.1")
  assert.include(reply, "/v1/options/chain/{underlyingSymbol}/")
  assert.notInclude(reply, "<script")
  assert.include(reply, "<code>sandbox-free</code> (Free Forever)")
  assert.include(reply, "<code>sandbox-quant</code> (Quant)")
}, Layer.provide(SandboxServer.layer(), Sandbox.layer({ profile: "public" })))
