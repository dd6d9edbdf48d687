/** Clauses of the service that no stranger with one token can try, and why. */
const clauses: Readonly<Record<string, string>> = {
  "it takes accounts of other plans or users than the token's":
    "1-kinds 4.1-data-type-table 4.1-delayed-condition 4-mode-everywhere 5.8-premium-mode 7.1-402 8.2-access 8.2-default",
  "it takes requests from several addresses at once, and ends in a block": "5.6-single-ip 5.6-simultaneous 7.1-403",
  "only the service itself can see it": "2.1-last-null 7.1-200 8.3-age 8.4-stocks 8.4-options 8.5-not-shown",
  "it asks something of the client, not of the service":
    "1-base-url 4-get 4.1-maxage-cached-only 4.5-general-params 5.2-obtain 5.4-header-default 7.1-204-elsewhere " +
    "7.2-cached-200 8.1-request-line 8.1-batches 8.3-fallback",
  "the token would stand in a URL, which others may log": "5.3-query",
  "it costs as many credits as there are symbols": "8.1-no-cap",
  "what is right is not stated":
    "7.1-bodies-unknown 7.1-charge-not-stated 7.3-cause-malformed-query 8.2-cost-historical-quotes"
}

export const reasons: ReadonlyArray<{ readonly clause: string; readonly why: string }> = Object.entries(clauses)
  .flatMap(([why, all]) => all.split(" ").map((clause) => ({ clause, why })))
