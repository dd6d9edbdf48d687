/**
 * Imports modules as an application would, under whatever Node runs this: plain JavaScript, for the oldest that a package promises.
 * Called in the folder of the application as `node imports.mjs ENTRIES`, a JSON array; prints a line for each that is wrong.
 */
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const entries = JSON.parse(readFileSync(process.argv[2], "utf8"))

/** True for a module that the package does not hand out: its name leads nowhere. */
const isClosed = (specifier) => {
  try {
    return !existsSync(fileURLToPath(import.meta.resolve(specifier)))
  } catch {
    return true
  }
}

for (const { isPublic, specifier } of entries) {
  if (!isPublic) {
    if (!isClosed(specifier)) console.log(`${specifier} can be imported, and is not meant to be`)
    continue
  }
  try {
    await import(specifier)
  } catch (error) {
    console.log(`${specifier} cannot be imported on Node ${process.versions.node}: ${String(error)}`)
  }
}
