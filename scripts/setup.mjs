/**
 * Makes a fresh clone ready: installs what is missing. As a program it also bundles the command line with `bundle`, and
 * with `build` compiles every package before.
 * Plain JavaScript for Node 20, because it runs before anything is installed, ours of Node included.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = join(root, "node_modules", ".bin")

const say = (line) => process.stderr.write(`effect-marketdata: ${line}\n`)

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"))

/** True when every package of the lockfile that this platform needs is installed at the locked version. */
const isInstalled = () => {
  const installed = join(root, "node_modules", ".package-lock.json")
  if (!existsSync(installed)) return false
  const has = readJson(installed).packages
  return Object.entries(readJson(join(root, "package-lock.json")).packages)
    .filter(([path, entry]) => /\bnode_modules\//.test(path) && !entry.optional && !entry.peer && !entry.link)
    .every(([path, entry]) => has[path]?.version === entry.version)
}

const run = (command, args) => {
  const windows = process.platform === "win32"
  const { error, status } = spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2], shell: windows })
  if (status === 0) return
  say(`\`${[command, ...args].join(" ")}\` failed${error === undefined ? "" : `: ${error.message}`}`)
  process.exit(1)
}

if (!isInstalled()) {
  say("installing dependencies (once, about half a minute)")
  const npm = process.env.npm_execpath
  // npm 10 does not know of allowScripts in package.json; none of the packages needs its scripts.
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
  if (npm === undefined) run("npm", args)
  else run(process.execPath, [npm, ...args])
}

// npm 10 takes the link to our Node away together with those of other systems' packages, which it skips.
const shipped = join("..", `node-${process.platform}-${process.arch}`, "bin", "node")
if (!existsSync(join(bin, "node")) && existsSync(join(bin, shipped))) symlinkSync(shipped, join(bin, "node"))

/** The Node that scripts run on: the one installed here where the platform has it, else the machine's own. */
export const node = existsSync(join(bin, "node")) ? join(bin, "node") : process.execPath
const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout?.trim() ?? "no version"
if (Number(version.slice(1).split(".")[0]) < 24) {
  say(`Node 24 or newer is needed and ${node} is ${version}; install it (.nvmrc names the version) and try again`)
  process.exit(1)
}

const step = process.argv[1]?.endsWith("setup.mjs") ? process.argv[2] : undefined
if (step === "build") {
  const packages = readdirSync(join(root, "packages")).map((name) => join("packages", name))
  run(node, [join(root, "node_modules", "typescript", "bin", "tsc"), "-b", ...packages])
  run(node, [join(root, "scripts", "shared", "nodeFiles.ts")])
}
if (step !== undefined) run(node, [join(root, "packages", "cli", "bundle.ts")])
