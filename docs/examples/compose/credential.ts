/** Prints what a caller needs in GATEWAY_CREDENTIAL: `GATEWAY_SECRET=… node credential.ts desk`. Run it where the secret is. */
import { Runner } from "@effect-marketdata/cluster"
import { Redacted, Result } from "effect"

const [, , caller = "desk"] = process.argv
const secret = Redacted.make(process.env["GATEWAY_SECRET"] ?? "")
console.log(Redacted.value(Result.getOrThrow(Runner.credential(secret, caller))))
