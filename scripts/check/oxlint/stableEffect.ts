/** Keeps core off the unstable exports of Effect's stable modules, such as `Schema.ByteSize`. */
import * as EffectStability from "./effectStability.ts"
import type { Context, LintRule } from "./lintRule.ts"
import { placeOf, rooms } from "./room.ts"

export const stableEffect: LintRule = {
  create: (context: Context) => {
    const place = placeOf(context.cwd, context.filename)
    if (place?.folder !== "src" || rooms.get(place.package)?.stable !== true) return {}
    /** Local name of a namespace to the module behind it. */
    const namespaces = new Map<string, string>()
    const check = (node: { readonly range: [number, number] }, specifier: string | undefined, name: string) => {
      if (specifier === undefined || !EffectStability.isUnstableExport(specifier, name)) return
      context.report({
        node,
        message: `${name} of ${specifier} may change in a minor release: ${place.package} keeps to what is stable`
      })
    }
    return {
      ImportDeclaration: ({ source, specifiers }) => {
        if (!source.value.startsWith("effect/")) return
        for (const specifier of specifiers) {
          if (specifier.type === "ImportNamespaceSpecifier") namespaces.set(specifier.local.name, source.value)
          if (specifier.type === "ImportSpecifier" && specifier.imported.type === "Identifier") {
            check(specifier, source.value, specifier.imported.name)
          }
        }
      },
      MemberExpression: (node) => {
        if (node.object.type !== "Identifier" || node.property.type !== "Identifier" || node.computed) return
        check(node, namespaces.get(node.object.name), node.property.name)
      },
      TSQualifiedName: (node) => {
        if (node.left.type === "Identifier") check(node, namespaces.get(node.left.name), node.right.name)
      }
    }
  }
}
