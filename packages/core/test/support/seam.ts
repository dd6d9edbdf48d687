/**
 * Faults by name: a fault says which exported declaration is broken, and gives its broken version. It knows no line of the source, so that
 * an edit inside a function leaves it standing, and the compiler knows the names, so that a renaming is told.
 * The broken version runs where the tests run: this module stays free of all that is needed to plant it.
 */

/** A declaration and its broken version. `about` says what it breaks. */
export interface Seam {
  readonly about: string | ReadonlyArray<string>
  /** Never called: its text names the module. */
  readonly module: () => Promise<unknown>
  readonly declaration: string
  readonly broken: (sound: never) => unknown
}

/** What may stand in the place of a declaration: for a function one that takes what it takes, whatever it gives. */
type InPlaceOf<Sound> = Sound extends (...input: infer Input) => unknown ? (...input: Input) => unknown : unknown

/** What breaks each declaration of a module. */
type Breaks<Module> = {
  readonly [Name in keyof Module & string]: (
    about: string | ReadonlyArray<string>,
    broken: (sound: Module[Name]) => InPlaceOf<Module[Name]>
  ) => Seam
}

/**
 * Breaks declarations of one module: `of(() => import("…/Reply.ts")).head("7.1-203", (head) => (reply) => …)`. The broken version is made out of
 * the sound one, and takes its place for the module's own uses too.
 */
export const of = <Module>(module: () => Promise<Module>): Breaks<Module> =>
  new Proxy({} as Breaks<Module>, {
    get: (_, declaration: string) => (about: Seam["about"], broken: Seam["broken"]): Seam => ({
      about,
      module,
      declaration,
      broken
    })
  })
