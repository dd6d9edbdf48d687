/** The types of Oxlint's plugin interface that our rules need: Oxlint exports them through its rule tester only. */
import type { RuleTester } from "oxlint/plugins-dev"

export type LintRule = Parameters<RuleTester["run"]>[1]

type Create = (LintRule & { readonly createOnce?: never })["create"] & {}

export type Context = Parameters<Create>[0]

type Visitor = ReturnType<Create>

export type Node<Type extends keyof Visitor> = Parameters<Visitor[Type] & {}>[0]

export type Comment = ReturnType<Context["sourceCode"]["getCommentsBefore"]>[number]
