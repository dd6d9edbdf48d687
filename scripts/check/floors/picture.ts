/** The picture of the house: a graph in Mermaid of the packages, and of the floors inside them. */
import type { Floors } from "../oxlint/room.ts"

/** What imports what: packages and floors (`core/text`) by name. */
export type Arrows = ReadonlyMap<string, ReadonlySet<string>>

export interface Storeys {
  readonly name: string
  readonly floors: Floors
}

/** True where something is imported by what is imported: a picture without such arrows shows the same and can be read. */
const isDetour = (arrows: Arrows, from: string, to: string): boolean =>
  [...arrows.get(from) ?? []].some((other) => other !== to && leadsTo(arrows, other, to))

const leadsTo = (arrows: Arrows, from: string, to: string): boolean =>
  from === to || [...arrows.get(from) ?? []].some((next) => leadsTo(arrows, next, to))

/** Draws the arrows, those left out that follow from others. They must not run in circles. */
export const draw = (packages: ReadonlyArray<Storeys>, arrows: Arrows): string =>
  [
    "```mermaid",
    "graph TD",
    ...packages.flatMap(({ floors, name }) =>
      Object.keys(floors).length === 0 ? [`  ${name}`] : [
        `  subgraph ${name}`,
        ...Object.entries(floors).toReversed().map(([floor, what]) =>
          `    ${name}/${floor}["<b>${floor}</b> ${what}"]`
        ),
        "  end"
      ]
    ),
    ...[...arrows].flatMap(([from, all]) =>
      [...all].filter((to) => !isDetour(arrows, from, to)).toSorted().map((to) => `  ${from} --> ${to}`)
    ),
    "```"
  ].join("\n")
