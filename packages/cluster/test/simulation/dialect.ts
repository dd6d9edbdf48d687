/** The PostgreSQL of this package and the SQLite of the cluster's tables, as one SQLite understands them both. Times are virtual. */
import type { DatabaseSync } from "node:sqlite"

/** Teaches a database what it lacks: a clock, and settings and locks that change nothing here. */
export const prepare = (database: DatabaseSync, now: () => number): void => {
  database.function("virtual_seconds", () => now() / 1000)
  database.function("virtual_timestamp", () => new Date(now()).toISOString().slice(0, 19).replace("T", " "))
  database.function("set_config", { varargs: true }, (_, value) => value)
  database.function("pg_advisory_xact_lock", { varargs: true }, () => null)
}

/** Rows need no locks of their own: transactions come one after the other. */
const rowLock = /FROM \(SELECT set_config.*?\) AS limits CROSS JOIN LATERAL/s

/** The tables are those of this package: nobody else is there who could have made others. */
const catalog = /^SELECT .* FROM pg_class .*$/s

const spoken = (sql: string): string =>
  sql.replace(catalog, "SELECT 1 WHERE 0").replaceAll(
    "EXTRACT(EPOCH FROM clock_timestamp())::float8",
    "virtual_seconds()"
  )
    .replace(rowLock, "FROM")
    .replace("AND limits.lock_timeout IS NOT NULL FOR UPDATE", "")
    .replace(/^BEGIN .*/, "BEGIN")
    .replaceAll(/(?<!DEFAULT \(?)CURRENT_TIMESTAMP/g, "virtual_timestamp()")

/** The statements of a block, `DO $$BEGIN …; …; END$$`, which depend on each other; undefined for another text. */
export const blockOf = (sql: string): string | undefined =>
  /^DO \$\$BEGIN (.*) END\$\$$/s.exec(sql)?.[1]?.replace("PERFORM", "SELECT")

/** Statements that PostgreSQL runs in one go: `WITH step0 AS (…), step1 AS (…) …`. */
const apart = (sql: string): ReadonlyArray<string> => {
  const step = /^(?:WITH \(?|,)step\d+ AS \(/.exec(sql)
  if (step === null) return [sql.replace(/^\) /, "")]
  let depth = 1
  let end = step[0].length
  for (; depth > 0; end++) depth += sql[end] === "(" ? 1 : sql[end] === ")" ? -1 : 0
  return [sql.slice(step[0].length, end - 1), ...apart(sql.slice(end).trimStart())]
}

/** Statements, and how many of the parameters are each one's own. */
export const translate = (sql: string) => apart(spoken(sql)).map((sql) => ({ sql, params: sql.split("?").length - 1 }))
