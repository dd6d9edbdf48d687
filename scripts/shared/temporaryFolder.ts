/** Folders for what scripts lay out: `using` removes one at the end of its block. */
import { mkdtempDisposableSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const temporaryFolder = () => mkdtempDisposableSync(join(tmpdir(), "marketdata-"))
