/** What a row is made of, from the columns of its table: which elements each holds, whether they may be null, and what they mean. */
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import type { ColumnKind } from "../columns/ColumnKind.ts"
import type { ColumnSpec, Row } from "../columns/ColumnSpec.ts"

/** The fields of a row of a table: schemas of its elements, which say to constructors what they take. */
export type Fields<Spec extends ColumnSpec> = {
  readonly [Name in keyof Spec]: Schema.Codec<Row<Spec, Name>[Name], string | number | boolean | null> & {
    readonly "~type.make": Row<Spec, Name>[Name]
    readonly "~type.make.in": Row<Spec, Name>[Name]
  }
}

/** A field for each column, described by what the column means. */
const fields = <const Spec extends ColumnSpec>(
  spec: Spec,
  meanings: { readonly [Name in keyof Spec]: string }
): Fields<Spec> => {
  const all = Object.entries(spec).map(([name, { kind, null: where }]) => {
    const element = elementOf(kind, { description: meanings[name]! })
    return [name, where === "identity" ? element : Schema.NullOr(element)] as const
  })
  // Each field is that of its own column.
  return Object.fromEntries(all) as unknown as Fields<Spec>
}

/** Makes the class of the rows of a table. */
export const rowOf = <Self>() =>
<Name extends string, const Spec extends ColumnSpec>(
  name: Name,
  spec: Spec,
  meanings: { readonly [Name in keyof Spec]: string }
) => Schema.Class<Self>(`@effect-marketdata/core/${name}`)(fields(spec, meanings))

type Meaning = { readonly description: string }

const elementOf = ({ expected, storage }: ColumnKind, meaning: Meaning): Schema.Codec<unknown> => {
  switch (storage._tag) {
    case "Numbers":
      return number(meaning)
    case "Choices":
      return Schema.Literals(storage.values).annotate(meaning)
    case "Texts": {
      const { problem } = storage
      const text = Schema.String.annotate(meaning)
      return problem === undefined
        ? text
        : text.check(Schema.makeFilter((text) => problem(text) ?? true, { expected }))
    }
  }
}

/** A finite number; minus zero, which JSON does not have, is `"-0"`. */
const number = (meaning: Meaning) =>
  Schema.Union([Schema.Finite, Schema.Literal("-0")]).annotate(meaning).pipe(
    Schema.decodeTo(Schema.Finite.annotate(meaning), {
      decode: SchemaGetter.transform(Number),
      encode: SchemaGetter.transform((value: number) => Object.is(value, -0) ? "-0" : value)
    })
  )
