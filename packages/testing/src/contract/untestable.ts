/** Clauses of the service that no stranger with one token can try, and why. */
const account = "it takes accounts of other plans or users than the token's"
const addresses = "it takes requests from several addresses at once, and ends in a block"
const inside = "only the service itself can see it"
const aboutClients = "it asks something of the client, not of the service"
const unsafe = "the token would stand in a URL, which others may log"
const expensive = "it costs as many credits as there are symbols"
const notStated = "what is right is not stated"

export const reasons: ReadonlyArray<{ readonly clause: string; readonly why: string }> = [
  ...["1-kinds", "4.1-data-type-table", "4.1-delayed-condition", "4-mode-everywhere"].map((
    clause
  ) => ({ clause, why: account })),
  ...["5.8-premium-mode", "7.1-402", "8.2-access", "8.2-default"].map((clause) => ({ clause, why: account })),
  ...["5.6-single-ip", "5.6-simultaneous", "7.1-403"].map((clause) => ({ clause, why: addresses })),
  ...["2.1-last-null", "7.1-200", "8.3-age", "8.4-stocks", "8.4-options", "8.5-not-shown"].map((clause) => ({
    clause,
    why: inside
  })),
  ...[
    "1-base-url",
    "4-get",
    "4.1-maxage-cached-only",
    "4.5-general-params",
    "5.2-obtain",
    "5.4-header-default",
    "7.1-204-elsewhere",
    "7.2-cached-200",
    "8.1-request-line",
    "8.1-batches",
    "8.3-fallback"
  ].map((clause) => ({ clause, why: aboutClients })),
  { clause: "5.3-query", why: unsafe },
  { clause: "8.1-no-cap", why: expensive },
  ...["7.1-bodies-unknown", "7.1-charge-not-stated", "7.3-cause-malformed-query", "8.2-cost-historical-quotes"].map((
    clause
  ) => ({ clause, why: notStated }))
]
