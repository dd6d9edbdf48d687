import { Answer, type Credits, Reason } from "@effect-marketdata/core"
import { assert, it } from "@effect/vitest"

const counted = { credits: 3, uncertain: 0, reported: 3, computed: 3 }
const charge: Credits.Charge = { ...counted, finding: undefined, clause: "4.1-cost-live", assumptions: [] }
const once = { uncertain: 0, repeats: 0, elsewhere: 0, reason: undefined }
const answered: Answer.Attempt = { ...once, target: "/v1/options/chain/SPX/", status: 200, charge }
const reason = new Reason.TransportFailure({ detail: "ECONNRESET", mayHaveBeenCharged: true })
const lost: Answer.Attempt = { ...answered, status: undefined, charge: undefined, uncertain: 500, reason }

it("formatAttempt says what was sent, what came back, and what it cost", () => {
  const sent = "GET /v1/options/chain/SPX/ HTTP/1.1 → "
  const attempts: ReadonlyArray<readonly [Answer.Attempt, string]> = [
    [answered, "status 200, 3 credits"],
    [{ ...answered, uncertain: 2 }, "status 200, 3 credits, or up to 2 more"],
    [{ ...answered, repeats: 2 }, "status 200, 3 credits, 2 more of the HTTP client's own refused"],
    [{ ...answered, elsewhere: 1 }, "status 200, 3 credits, 1 credit spent elsewhere"],
    [lost, "no reply, charge unknown, at most 500 credits, TransportFailure"],
    [{ ...lost, uncertain: Infinity }, "no reply, charge unknown, TransportFailure"],
    [{ ...lost, uncertain: 0 }, "no reply, nothing charged, TransportFailure"]
  ]
  for (const [attempt, words] of attempts) assert.strictEqual(Answer.formatAttempt(attempt), sent + words)
})
