/** The other side of `process.ts`: what a process of a bench does. */
import * as Http from "node:http"

/** Does the work that the arguments name, with what follows them, and prints what it comes to. A process that serves stays. */
export const answer = async (
  works: Readonly<Record<string, (...args: ReadonlyArray<string>) => unknown>>
): Promise<void> => {
  const [what = "", ...args] = process.argv.slice(2)
  const work = works[what]
  if (work === undefined) throw new Error(`nothing is called ${what}`)
  console.log(JSON.stringify(await work(...args)))
  if (!process.getActiveResourcesInfo().includes("TCPServerWrap")) process.exit(0)
}

/** Serves as long as the process lives; answers the port. */
export const serve = async (listener: Http.RequestListener): Promise<number> => {
  const server = Http.createServer((request, response) => {
    response.sendDate = false
    return listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the server has no port")
  return address.port
}
