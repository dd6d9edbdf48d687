/** Which sources are changed: modules by their names, such as `core/credits/tariff`. */

/** Left out are WebAssembly that was compiled into text, and the loops of the decoder, whose kernels are compared with each other at length. */
const leftOut = /^packages\/core\/src\/(columns\/internal\/|.*Module\.ts$)/

/** The name of a module: its package, and its path in there. */
const nameOf = (path: string): string => path.replace(/^packages\/([^/]+)\/src\//, "$1/").replace(/\.ts$/, "")

const packageOf = (path: string): string => path.split("/")[1] ?? ""

/** The paths by their packages of what is named by package or module, or of all where nothing is; or the names that are neither. */
export const choose = (
  paths: ReadonlyArray<string>,
  names: ReadonlyArray<string>
): { readonly packages: Readonly<Record<string, ReadonlyArray<string>>> } | {
  readonly unknown: ReadonlyArray<string>
} => {
  const all = paths.filter((path) => !leftOut.test(path)).toSorted()
  const isNamed = (path: string, name: string): boolean => name === packageOf(path) || name === nameOf(path)
  const unknown = names.filter((name) => !all.some((path) => isNamed(path, name)))
  if (unknown.length > 0) return { unknown }
  const chosen = all.filter((path) => names.length === 0 || names.some((name) => isNamed(path, name)))
  const packages: Record<string, Array<string>> = {}
  for (const path of chosen) (packages[packageOf(path)] ??= []).push(path)
  return { packages }
}
