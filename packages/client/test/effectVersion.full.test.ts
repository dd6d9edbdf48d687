/** Package managers only warn of another Effect than the packages need, and a program would learn it from a reply that it has paid for. */
import { assert, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"

/** Effect 4.0 has no `toWeb`. */
const program = `
  import { registerHooks } from "node:module"
  const older = { url: "data:text/javascript,export {}", shortCircuit: true }
  registerHooks({ resolve: (name, at, next) => name === "effect/http/HttpClientResponse" ? older : next(name, at) })
  await import("@effect-marketdata/client/MarketData").catch((error) => console.log(error.message))`

it("beside an older Effect the client does not load", () => {
  const flags = ["--conditions=@effect-marketdata/source", "--input-type=module", "-e", program]
  const out = execFileSync(process.execPath, flags, { cwd: import.meta.dirname, encoding: "utf8" })
  assert.include(out, `export named 'toWeb'`)
})
