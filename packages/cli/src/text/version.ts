/** The version of the program, from its manifest: `npm run check -- modules --write` keeps it. */
export const version = "0.1.0"
