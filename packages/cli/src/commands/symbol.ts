/** `marketdata symbol`: option symbols read, made and explained, without asking the service. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"

const symbols = Argument.String("symbol").pipe(
  Argument.withDescription(
    "Option symbols, with or without padding; - or none reads standard input, a symbol in each line"
  ),
  Argument.variadic()
)

const parse = Command.make(
  "parse",
  { symbols },
  ({ symbols }) => Effect.flatMap(Effect.promise(() => import("../symbol/parse.ts")), ({ run }) => run(symbols))
).pipe(
  Command.withDescription("Take option symbols apart"),
  Command.withExamples([
    { command: "marketdata symbol parse AAPL261120C00150000", description: "Root, expiration, side and strike" },
    {
      command: "marketdata symbol parse AAPL261120C00150000 SPXW261120P06500500 --format csv",
      description: "Several, for a spreadsheet"
    },
    { command: "marketdata symbol parse \"SPXW  261120P06500500\" --json", description: "The padded form, as JSON" }
  ])
)

const format = Command.make("format", {
  root: Flag.String("root").pipe(Flag.withMetavar("ROOT"), Flag.withDescription("The root, such as AAPL or SPXW")),
  expiration: Flag.String("expiration").pipe(
    Flag.withMetavar("DAY"),
    Flag.withDescription("The day of expiration as YYYY-MM-DD")
  ),
  side: Flag.Literals("side", ["call", "put"]).pipe(Flag.withDescription("Call or put")),
  strike: Flag.String("strike").pipe(Flag.withMetavar("PRICE"), Flag.withDescription("The strike in dollars")),
  padded: Flag.Boolean("padded").pipe(
    Flag.withDescription("Print the form of 21 characters, in which blanks fill the root to six"),
    Flag.withDefault(false)
  )
}, (parts) => Effect.flatMap(Effect.promise(() => import("../symbol/format.ts")), ({ run }) => run(parts))).pipe(
  Command.withDescription("Make an option symbol of its parts"),
  Command.withExamples([
    {
      command: "marketdata symbol format --root AAPL --expiration 2026-11-20 --side call --strike 150",
      description: "AAPL261120C00150000"
    },
    {
      command: "marketdata symbol format --root SPXW --expiration 2026-11-20 --side put --strike 6500.5 --padded",
      description: "Padded to 21 characters"
    },
    {
      command: "marketdata symbol format --root BRKB --expiration 2026-12-18 --side call --strike 500 --json",
      description: "With its parts, as JSON"
    }
  ])
)

const explain = Command.make(
  "explain",
  { symbols },
  ({ symbols }) => Effect.flatMap(Effect.promise(() => import("../symbol/explain.ts")), ({ run }) => run(symbols))
).pipe(
  Command.withDescription("Say what each part of a symbol means or, if it is wrong, why and what was probably meant"),
  Command.withExamples([
    { command: "marketdata symbol explain SPXW261120P06500500", description: "Each part, its place and its meaning" },
    { command: "marketdata symbol explain AAPL261120C150", description: "Why it is wrong, and what was meant" },
    { command: "marketdata symbol explain \"AAPL 11/20/26 150 call\"", description: "A contract as people write it" }
  ])
)

export const command = Command.make("symbol").pipe(
  Command.withDescription("Read, make and explain option symbols"),
  Command.withSubcommands([parse, format, explain])
)
