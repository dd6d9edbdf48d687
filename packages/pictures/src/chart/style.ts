/** How charts look, in light and in dark. */

/** Blue and orange are told apart by every eye; each has the contrast of text on its ground. */
export const colours =
  `:root{color-scheme:light dark;--ground:#fff;--panel:#f7f8fa;--ink:#16191d;--quiet:#5b6470;--hair:#e3e6ea;--call:#0a62a9;--put:#b34700;--one:#16191d;--two:#7a3e9d}
@media (prefers-color-scheme:dark){:root{--ground:#101317;--panel:#171b21;--ink:#e8eaed;--quiet:#9aa4b1;--hair:#2a3038;--call:#6fb5ff;--put:#ff9d5c;--one:#e8eaed;--two:#cf9bea}}
`

export const drawing =
  `.chart{display:block;font:11px/1.2 system-ui,sans-serif;font-variant-numeric:tabular-nums;overflow:visible}
.grid{stroke:var(--hair)}.axis{stroke:var(--quiet);stroke-opacity:.6}.rule{stroke:var(--quiet);stroke-dasharray:3 3}.cross{stroke:var(--ink)}.off{display:none}
.tick,.label{fill:var(--quiet)}.call{--tone:var(--call)}.put{--tone:var(--put)}.one{--tone:var(--one)}.two{--tone:var(--two)}
.line{fill:none;stroke:var(--tone);stroke-width:1.6;stroke-linejoin:round}.band{fill:var(--tone);fill-opacity:.2}.bar{fill:var(--tone)}.dot{fill:var(--tone)}.dot.dim{fill:var(--ground);stroke:var(--tone)}
`
