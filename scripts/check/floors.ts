import { type Building, buildings } from "./buildings.ts"
import type { Rule } from "./rule.ts"
import * as Written from "./written.ts"

/** What imports what: packages and floors (`core/text`) by name. */
type Arrows = ReadonlyMap<string, ReadonlySet<string>>

const scope = "@effect-marketdata/"

/** The floor of a module: its folder below src/. A file directly in src/ may have a floor of its own; the others are on floor `.`. */
const floorOf = ({ floors }: Building, module: string): string => {
  const [folder, path] = module.split("/", 2)
  return path !== undefined || module in floors ? folder! : "."
}

const problemsOf = (building: Building): ReadonlyArray<string> => {
  const { floors, name } = building
  const order = Object.keys(floors)
  const levelOf = (module: string) => order.indexOf(floorOf(building, module))
  const modules = building.modules.filter(({ path }) => path !== "index.ts")
  const paths = new Set(building.modules.map(({ path }) => path))
  const src = `packages/${name}/src`
  return [
    ...order.filter((_, level) => !modules.some(({ path }) => levelOf(path) === level))
      .map((floor) => `${src}: no module stands on the floor ${floor}, which floors.json names`),
    ...modules.filter(({ path }) => order.length > 0 && levelOf(path) < 0)
      .map(({ path }) => `${src}/${path} stands on no floor that floors.json names`),
    ...modules.filter(({ path }) => levelOf(path) >= 0).flatMap(({ imports, path }) =>
      [...imports].filter((target) => paths.has(target) && levelOf(target) > levelOf(path))
        .map((target) => `${src}/${path} imports ${target}, which stands on a higher floor`)
    )
  ]
}

/** What each package imports of others, and each floor of lower ones. */
const arrowsOf = (all: ReadonlyArray<Building>): Arrows => {
  const arrows = new Map<string, Set<string>>()
  const add = (from: string, to: string) => {
    if (from !== to) arrows.set(from, new Set(arrows.get(from)).add(to))
  }
  for (const building of all) {
    const { floors, modules, name } = building
    const nameOf = (module: string) => `${name}/${floorOf(building, module)}`
    for (const { imports, path } of modules) {
      for (const target of imports) {
        if (target.startsWith(scope)) add(name, target.split("/")[1]!)
        else if (floorOf(building, path) in floors && target.endsWith(".ts")) add(nameOf(path), nameOf(target))
      }
    }
  }
  return arrows
}

const leadsTo = (arrows: Arrows, from: string, to: string): boolean =>
  from === to || [...arrows.get(from) ?? []].some((next) => leadsTo(arrows, next, to))

/** Whether an arrow is implied by others (`from` imports something that imports `to`), and can be left out of the graph. */
const isDetour = (arrows: Arrows, from: string, to: string): boolean =>
  [...arrows.get(from) ?? []].some((other) => other !== to && leadsTo(arrows, other, to))

/** The graph of packages and their floors in Mermaid. The arrows must not form a cycle. */
const draw = (all: ReadonlyArray<Building>): string => {
  const arrows = arrowsOf(all)
  return [
    "```mermaid",
    "graph TD",
    ...all.flatMap(({ floors, name }) =>
      Object.keys(floors).length === 0 ? [`  ${name}`] : [
        `  subgraph ${name}`,
        ...Object.entries(floors).toReversed().map(([floor, what]) =>
          `    ${name}/${floor}["<b>${floor}</b> ${what}"]`
        ),
        "  end"
      ]
    ),
    ...[...arrows].flatMap(([from, targets]) =>
      [...targets].filter((to) => !isDetour(arrows, from, to)).toSorted().map((to) => `  ${from} --> ${to}`)
    ),
    "```"
  ].join("\n")
}

export const floors: Rule = {
  why: "A house can be learnt from the ground up where no floor rests on a higher one.",
  run: async (root, write = false) => {
    const all = buildings(root)
    const problems = all.flatMap(problemsOf)
    // With an arrow upward there may be a cycle, which cannot be drawn.
    if (problems.length > 0) return { problems }
    return { problems: Written.parts({ root, path: "CONTRIBUTING.md", rule: "floors", write }, { floors: draw(all) }) }
  }
}
