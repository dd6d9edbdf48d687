/**
 * One process of the bench: a server that sends prepared replies, or the client that asks for them, whose figures it prints as JSON. With the name of a
 * case after them it asks by that of the client's calls alone, for `node --cpu-prof`.
 */
import * as Measure from "./measure.ts"
import * as Replies from "./replies.ts"

const [what = "", port = "0", figure = "0", only] = process.argv.slice(2)

switch (what) {
  case "serve":
    console.log(JSON.stringify(await Replies.serve()))
    break
  case "22718":
    console.log(JSON.stringify(await Measure.chain(Number(port), Number(figure))))
    break
  case "one-quote":
    console.log(JSON.stringify(await Measure.quote(Number(port), Number(figure))))
    break
  case "profile":
    await Measure.profile(Number(port), only ?? "22718", Number(figure))
    break
  default:
    throw new Error(`nothing is called ${what}`)
}
