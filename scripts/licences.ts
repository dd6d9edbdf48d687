/** `npm run licences`: writes docs/licences.md, the licences of everything that the lockfiles name. */
import { writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Dependencies from "./check/dependencies.ts"
import * as Licences from "./check/licences.ts"

const root = dirname(import.meta.dirname)
writeFileSync(join(root, Licences.path), Licences.page(Licences.list(await Dependencies.lockfiles(root))))
