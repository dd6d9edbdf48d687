/** The names that the public service gives its fields for people, where they are not the field's own words. */
const names: ReadonlyMap<string, string> = new Map([
  ["expiration", "Expiration Date"],
  ["side", "Option Side"],
  ["dte", "Days To Expiration"],
  ["updated", "Date"],
  ["iv", "IV"],
  ["t", "Date"],
  ["o", "Open"],
  ["h", "High"],
  ["l", "Low"],
  ["c", "Close"],
  ["v", "Volume"],
  ["optionSymbol", "Symbol"],
  ["changepct", "Change %"],
  ["52weekHigh", "52 Week High"],
  ["52weekLow", "52 Week Low"],
  ["reportedEPS", "Reported EPS"],
  ["estimatedEPS", "Estimated EPS"],
  ["surpriseEPS", "Surprise EPS"],
  ["surpriseEPSpct", "Surprise EPS %"]
])

/** A field's name for people: its words, each with a capital. */
export const of = (name: string): string =>
  names.get(name) ?? (/^[a-z]+([A-Z][a-z]+)*$/.test(name)
    ? name.replace(/[A-Z]/g, " $&").replace(/^./, (first) => first.toUpperCase())
    : name)
