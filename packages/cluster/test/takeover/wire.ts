/** The wire between a machine and its database, which can be cut: what is sent arrives when it is mended, as after a partition. */
import * as Effect from "effect/Effect"
import { once } from "node:events"
import * as Net from "node:net"

interface Wire {
  readonly port: number
  readonly cut: () => void
  readonly mend: () => void
}

/** Lays one to a port of this machine. */
export const lay = (to: number) =>
  Effect.gen(function*() {
    const pairs = new Set<readonly [Net.Socket, Net.Socket]>()
    let isCut = false
    const link = ([near, far]: readonly [Net.Socket, Net.Socket]) => near.pipe(far).pipe(near)
    const server = Net.createServer((near) => {
      const far = Net.connect(to, "127.0.0.1")
      const pair = [near, far] as const
      pairs.add(pair)
      const drop = () => {
        pairs.delete(pair)
        for (const end of pair) end.destroy()
      }
      for (const end of pair) end.on("error", drop).on("close", drop)
      if (!isCut) link(pair)
    })
    yield* Effect.acquireRelease(
      Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
      () =>
        Effect.sync(() => {
          for (const pair of pairs) for (const end of pair) end.destroy()
          server.close()
        })
    )
    const wire: Wire = {
      port: (server.address() as Net.AddressInfo).port,
      cut: () => {
        isCut = true
        for (const pair of pairs) for (const end of pair) end.unpipe().pause()
      },
      mend: () => {
        isCut = false
        pairs.forEach(link)
      }
    }
    return wire
  })
