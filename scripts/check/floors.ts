import { join } from "node:path"
import * as Imports from "./floors/imports.ts"
import * as Picture from "./floors/picture.ts"
import { type Room, rooms } from "./oxlint/room.ts"
import type { Rule } from "./rule.ts"
import * as Written from "./written.ts"

/** A package as it is built: its floors as they were declared, and what its modules import. */
interface Building {
  readonly name: string
  readonly floors: Room["floors"]
  readonly imports: Imports.Imports
}

const scope = "@effect-marketdata/"

/** The floor that a module stands on: its folder below src/; a file in none may have a floor of its own, or share `.` with others. */
const floorOf = ({ floors }: Building, module: string): string => {
  const [folder, path] = module.split("/", 2)
  return path !== undefined || module in floors ? folder! : "."
}

const problemsOf = (building: Building): ReadonlyArray<string> => {
  const { floors, imports, name } = building
  const order = Object.keys(floors)
  const levelOf = (module: string) => order.indexOf(floorOf(building, module))
  const modules = [...imports.keys()].filter((module) => module !== "index.ts")
  const src = `packages/${name}/src`
  const empty = order.filter((_, level) => !modules.some((module) => levelOf(module) === level))
    .map((floor) => `${src}: no module stands on the floor ${floor}, which floors.json names`)
  const homeless = order.length === 0 ? [] : modules.filter((module) => levelOf(module) < 0)
    .map((module) => `${src}/${module} stands on no floor that floors.json names`)
  const upward = modules.filter((module) => levelOf(module) >= 0).flatMap((module) =>
    imports.get(module)!.filter((target) => imports.has(target) && levelOf(target) > levelOf(module))
      .map((target) => `${src}/${module} imports ${target}, which stands on a higher floor`)
  )
  return [...empty, ...homeless, ...upward]
}

/** What each package imports of others, and each floor of lower ones. */
const arrowsOf = (buildings: ReadonlyArray<Building>): Picture.Arrows => {
  const arrows = new Map<string, Set<string>>()
  const add = (from: string, to: string) => {
    if (from !== to) arrows.set(from, new Set(arrows.get(from)).add(to))
  }
  for (const building of buildings) {
    const { floors, imports, name } = building
    const nameOf = (module: string) => `${name}/${floorOf(building, module)}`
    for (const [module, targets] of imports) {
      for (const target of targets) {
        if (target.startsWith(scope)) add(name, target.split("/")[1]!)
        else if (floorOf(building, module) in floors && imports.has(target)) add(nameOf(module), nameOf(target))
      }
    }
  }
  return arrows
}

export const floors: Rule = {
  why: "A house can be learnt from the ground up where no floor rests on a higher one.",
  run: async (root, write = false) => {
    const buildings = Array.from(rooms, ([name, { floors }]): Building => ({
      name,
      floors,
      imports: Imports.read(join(root, "packages", name, "src"))
    }))
    const problems = buildings.flatMap(problemsOf)
    // Where something runs upward there is nothing to draw.
    if (problems.length > 0) return { problems }
    const place = { root, path: "CONTRIBUTING.md", rule: "floors", write }
    return { problems: Written.parts(place, { floors: Picture.draw(buildings, arrowsOf(buildings)) }) }
  }
}
