/**
 * Lets the decoder tell what it does. Its states are nobody's business but its own, and so are its loops: while the modules of the engine are
 * loaded, a call is put where each step is taken. A line that is no longer there is an error, so that the probes cannot go blind.
 */
import { registerHooks } from "node:module"

/** What is told: a place in the engine, and the byte that it looks at. */
export type Listener = (place: string, byte: number) => void

let listener: Listener = () => undefined

/** Says who is told from now on. */
export const listen = (next: Listener): void => {
  listener = next
}

const told = (place: string, input: string): string =>
  `globalThis[Symbol.for("marketdata.fuzz")](${place}, ${input}.bytes[${input}.position]);`

/** Lines of the engine, and what is put behind each. */
const probes: Readonly<Record<string, ReadonlyArray<Readonly<Record<"line" | "code", string>>>>> = {
  "columns/internal/tableReader.ts": [{
    line: "  private step(): boolean {\n",
    code: told("`${this.state} ${this.valueState}`", "this.input")
  }],
  "columns/internal/elementReader.ts": [{
    line: "    while (Json.skipWhitespace(input)) {\n",
    code: told("`skip ${this.next} ${Math.min(this.depth, 2)}`", "input")
  }, {
    line: "    const stop = this.loop(safe)\n",
    code: `input.position = this.kernel.memory.words[0];${
      told("`${this.kernel.name} stop ${stop} ${this.column.kind.storage._tag}`", "input")
    }`
  }]
}

const instrumented = (url: string, source: string): string => {
  const path = Object.keys(probes).find((path) => url.endsWith(`/core/src/${path}`))
  if (path === undefined) return source
  return probes[path]!.reduce((text, { code, line }) => {
    if (!text.includes(line)) {
      throw new Error(`${path} has no line ${JSON.stringify(line)}: mend packages/core/test/support/probes.ts`)
    }
    return text.replace(line, line + code)
  }, source)
}

/** Puts the probes in. To be called before the engine is imported. */
export const install = (): void => {
  Object.assign(globalThis, { [Symbol.for("marketdata.fuzz")]: (place: string, byte: number) => listener(place, byte) })
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context)
      return loaded.source === undefined || loaded.source === null || !url.includes("/core/src/columns/")
        ? loaded
        : { ...loaded, source: instrumented(url, String(Buffer.from(loaded.source as Uint8Array))) }
    }
  })
}
