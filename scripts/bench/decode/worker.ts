/** One process of the bench: measures what its arguments name, and prints the figures as JSON. */
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as TableMemory from "@effect-marketdata/core/TableMemory"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { memory } from "./memory.ts"
import { paired } from "./paired.ts"
import { rates } from "./rates.ts"
import { serve, streamed } from "./streamed.ts"
import { ours, recycled, type Subject } from "./subjects.ts"

const [what = "", folder = "", name = "", milliseconds = "0"] = process.argv.slice(2)
const bytes = new Uint8Array(readFileSync(join(folder, `${name}.json`)))
const text = new TextDecoder().decode(bytes)

const parse = (): unknown => JSON.parse(text)

/** Measures a subject against `JSON.parse` of the ready text. */
const ratio = async (subject: Subject) => {
  const decode = await subject()
  return paired(parse, () => decode(bytes), Number(milliseconds))
}

/** How long the first call of a process takes. */
const first = (decode: () => unknown): number => {
  const start = performance.now()
  decode()
  return performance.now() - start
}

// As the guide advises a process that reads chains all day.
if (what !== "22718-whole-defaults") {
  TableMemory.use((size) => Buffer.allocUnsafeSlow(size).buffer)
  TableMemory.keepFreed()
}

const measure = async (): Promise<unknown> => {
  switch (what) {
    case "22718-whole-defaults":
      return await ratio(ours.fastest)
    case "fastest":
    case "typescript":
      return await ratio(ours[what])
    case "first": {
      const decode = await ours.fastest()
      return first(() => decode(bytes))
    }
    case "first-prepared": {
      // As the client does while its layer is built.
      await OptionChain.prepare()
      const decode = await ours.fastest()
      return first(() => decode(bytes))
    }
    case "first-parse":
      return first(parse)
    case "memory": {
      const decode = await ours.fastest()
      return await memory(() => decode(bytes))
    }
    case "memory-recycled": {
      const decode = await recycled()
      return await memory(() => decode(bytes))
    }
    case "memory-parse":
      return await memory(parse)
    case "streamed":
      return await streamed(["serve", folder, name])
    case "stages": {
      const { stages } = await import("./stages.ts")
      return stages(bytes, Number(milliseconds))
    }
    case "serve":
      return await serve(bytes)
    case "rates":
      return rates(JSON.parse(text).optionSymbol, Number(milliseconds))
    default: {
      const { competitors } = await import("./competitors.ts")
      const subject = new Map<string, Subject>(Object.entries(competitors)).get(what)
      if (subject === undefined) throw new Error(`nothing is called ${what}`)
      return await ratio(subject)
    }
  }
}

console.log(JSON.stringify(await measure()))
process.exit(0)
