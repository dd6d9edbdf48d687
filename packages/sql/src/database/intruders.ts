/**
 * Refuses what others have put in the place of the tables: a view could block a program that reads it, and a trigger could change what is written. They are
 * found without being read.
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { DatabaseError } from "./DatabaseError.ts"
import { unusable } from "./failed.ts"

interface Found {
  readonly name: string
  readonly what: string
}

/** A table of this package has columns and a key, and nothing that is computed. */
const inFile = (sql: SqlClient): Effect.Effect<ReadonlyArray<Found>, SqlError> =>
  Effect.map(
    sql<Found & { readonly text: string | null }>`SELECT name, type AS what, sql AS text FROM sqlite_schema
      WHERE type <> 'index' AND (name LIKE 'marketdata!_%' ESCAPE '!' OR tbl_name LIKE 'marketdata!_%' ESCAPE '!')`,
    (rows) =>
      rows.flatMap(({ name, text, what }) => {
        if (what !== "table") return [{ name, what }]
        return /^CREATE TABLE\b/i.test(text ?? "") && !/\b(CHECK|GENERATED|AS)\b/i.test(text ?? "")
          ? []
          : [{ name, what: "table of another kind" }]
      })
  )

const onServer = (sql: SqlClient, tables: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Found>, SqlError> =>
  Effect.map(
    sql<Found & { readonly kind: string }>`SELECT c.relname AS name, c.relkind::text AS kind,
      CASE WHEN c.relkind NOT IN ('r', 'p') THEN 'view' WHEN c.relhasrules THEN 'table with rules' ELSE 'table with triggers' END AS what
      FROM pg_class c WHERE c.oid IN (${sql.csv(tables.map((table) => sql`to_regclass(${table})::oid`))})
      AND (c.relkind NOT IN ('r', 'p') OR c.relhasrules OR EXISTS (
        SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal))`,
    (rows) => rows
  )

/** Fails if there is a view, a trigger or a foreign table in the place of one of our tables. */
export const refuse = (
  sql: SqlClient,
  tables: ReadonlyArray<string>
): Effect.Effect<void, DatabaseError | SqlError> =>
  Effect.flatMap(
    sql.onDialectOrElse({ sqlite: () => inFile(sql), orElse: () => onServer(sql, tables) }),
    ([found]) =>
      found === undefined ? Effect.void : Effect.fail(
        unusable(
          `"${found.name}" is a ${found.what} that this package has not made. Remove it, or use another database`
        )
      )
  )
