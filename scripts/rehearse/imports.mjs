/**
 * Imports modules as an application would, under whatever Node runs this: plain JavaScript, for the oldest that a package promises.
 * Called in the folder of the application as `node imports.mjs SPECIFIER…`; prints a line for each that fails, and ends with 1.
 */
for (const specifier of process.argv.slice(2)) {
  try {
    await import(specifier)
  } catch (error) {
    process.exitCode = 1
    console.log(`${specifier} cannot be imported on Node ${process.versions.node}: ${String(error)}`)
  }
}
