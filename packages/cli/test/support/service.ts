/** What a file of tests has as long as they run: a sandbox on a port, a folder of its own. */
import { Sandbox, SandboxClock, SandboxServer } from "@effect-marketdata/sandbox"
import { afterAll } from "@effect/vitest"
import { Context, Effect, Layer, ManagedRuntime } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Keychain, KeychainError } from "../../src/settings/tokenStore.ts"

/** Starts a sandbox, whose clock stands still where it is told when; answers its address. */
export const sandbox = async (at?: number): Promise<string> => {
  const clock = at === undefined ? Layer.empty : SandboxClock.layer({ pace: "frozen", at })
  const service = Layer.provideMerge(Sandbox.layer({ seed: 1 }), clock)
  const runtime = ManagedRuntime.make(Layer.provide(SandboxServer.layer(), service))
  afterAll(() => runtime.dispose())
  return (await runtime.runPromise(SandboxServer.SandboxServer)).baseUrl
}

/** Makes a folder. */
export const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "marketdata-test-"))
  afterAll(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** A system whose keychain does not answer. */
export const noKeychain = (message: string) => {
  const refusing = () => Effect.fail(new KeychainError({ message }))
  return Context.make(Keychain, { read: refusing, write: refusing, remove: refusing })
}
