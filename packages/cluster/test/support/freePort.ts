import * as Effect from "effect/Effect"
import { randomInt } from "node:crypto"
import { createServer } from "node:net"

/**
 * A free port, below those that a system chooses itself: between this check and its use, a connection of another program could get one of those.
 */
export const freePort: Effect.Effect<number> = Effect.callback<number, Error>((resume) => {
  const port = randomInt(20_000, 30_000)
  const server = createServer().once("error", (error) => resume(Effect.fail(error)))
    .listen(port, "127.0.0.1", () => server.close(() => resume(Effect.succeed(port))))
}).pipe(Effect.retry({ times: 100 }), Effect.orDie)
