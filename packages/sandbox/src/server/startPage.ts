/**
 * The page at `/`: what the sandbox is, what it serves, and how to point a client at it. Text and nothing else: no script, no account, no
 * token but the sandbox's own.
 */
import type { Endpoint } from "@effect-marketdata/core/Endpoint"
import * as Query from "@effect-marketdata/core/Query"
import * as Profile from "@effect-marketdata/core/Profile"
import * as Accounts from "../account/Accounts.ts"

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;" }

const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (letter) => escapes[letter] ?? letter)

const row = ({ listPath, parameters, path, stated, tokenless }: Endpoint): string =>
  [
    `<code>${escape(path)}</code>${
      listPath === undefined || listPath === path ? "" : `<br><code>${escape(listPath)}</code>`
    }`,
    escape(parameters.join(", ")),
    `${stated ? "contract" : "public service"}${tokenless ? ", no token" : ""}`
  ].map((cell) => `<td>${cell}</td>`).join("")

/** Writes the page of a server by its base URL, with the accounts that are there by default under its profile. */
export const make = (baseUrl: string, profile: Profile.Profile = Profile.defaultProfile): string => {
  const accounts = Accounts.ofProfile(profile)
  const [account] = accounts
  const token = account?.token ?? ""
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Market Data sandbox</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
pre, code { font: 0.9em ui-monospace, monospace }
pre { padding: 0.8rem; border: 1px solid #8886; overflow-x: auto }
table { border-collapse: collapse; display: block; overflow-x: auto }
td, th { text-align: left; vertical-align: top; padding: 0.3rem 1rem 0.3rem 0; border-bottom: 1px solid #8884 }
</style>
</head>
<body>
<h1>Market Data sandbox</h1>
<p>This is the Market Data API, simulated: its paths, its errors, its credits. Every price is made up by a seed.
No real account is here, and no credit is spent.</p>
<h2>Point a client at it</h2>
<pre>curl -H "Authorization: Bearer ${escape(token)}" "${
    escape(baseUrl)
  }/v1/options/chain/SPX/?mode=cached&amp;columns=strike,bid,ask"

MARKETDATA_BASE_URL=${escape(baseUrl)} MARKETDATA_TOKEN=${escape(token)} marketdata chain SPX</pre>
<p>Unless the sandbox was given accounts of its own, these tokens open one of each plan:
${
    accounts.map(({ plan, publicPlan, token }) => `<code>${escape(token)}</code> (${publicPlan ?? plan})`).join(", ")
  }.</p>
<h2>What it serves</h2>
<table>
<tr><th>GET</th><th>parameters of its own</th><th>stated by</th></tr>
${Object.values(Query.endpoints).map((endpoint) => `<tr>${row(endpoint)}</tr>`).join("\n")}
</table>
<h2>What the real service does not have</h2>
<p><code>/sandbox/faults</code> (GET, PUT, DELETE) scripts what goes wrong; <code>/sandbox/clock</code> (GET, PUT) is its time;
<code>/sandbox/statement</code> and <code>/sandbox/requests</code> tell an account, by its bearer token, what it asked for and spent.</p>
</body>
</html>
`
}
