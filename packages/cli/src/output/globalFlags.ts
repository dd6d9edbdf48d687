/** The flags that every command has, wherever they stand on the line. */
import * as Flag from "effect/cli/Flag"
import { defaultTo } from "../text/defaultTo.ts"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Own from "../settings/own.ts"

/** How data are printed: for people, as one JSON document, as a line of JSON for each row, or as CSV. */
export type Format = typeof Own.formats[number]

export const format = GlobalFlag.Setting("format")({
  flag: Flag.Literals("format", Own.formats).pipe(
    Flag.withDescription("How data are printed: table for people; json, jsonl or csv for programs"),
    Flag.optional
  )
})

export const json = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(Flag.withDescription("The same as --format json"), Flag.withDefault(false))
})

export const color = GlobalFlag.Setting("color")({
  flag: Flag.Literals("color", ["auto", "always", "never"]).pipe(
    defaultTo("Whether to print in colours; auto does on a terminal, unless NO_COLOR is set", "auto")
  )
})

export const globalFlags = [format, json, color] as const
