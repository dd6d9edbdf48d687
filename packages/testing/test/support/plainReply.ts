import type { HostileReplies } from "@effect-marketdata/testing"

/** A reply with nothing hostile to it. */
export const plain: HostileReplies.HostileReply = {
  kind: "numbers",
  delivery: "length",
  status: 200,
  headers: [],
  body: [{ text: "{\"a\":[1", times: 1 }, { text: ",#", times: 3 }, { text: "]}", times: 1 }],
  coding: { label: undefined, actual: [], cut: false },
  framing: "length",
  pace: { bytes: 65_536, pause: 0 },
  end: "closes"
}
