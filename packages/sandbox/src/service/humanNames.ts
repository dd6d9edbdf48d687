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
  ["change", "Change $"],
  ["changepct", "Change %"],
  ["52weekHigh", "52 Week High"],
  ["52weekLow", "52 Week Low"],
  ["reportedEPS", "Reported EPS"],
  ["estimatedEPS", "Estimated EPS"],
  ["surpriseEPS", "Surprise EPS"],
  ["surpriseEPSpct", "Surprise EPS %"],
  // Articles keep their fields as they are.
  ["headline", "headline"],
  ["content", "content"],
  ["source", "source"],
  ["publicationDate", "publicationDate"]
])

/** A field's name for people: its words, each with a capital. No two fields of one reply have the same. */
export const of = (name: string, columnNames: ReadonlyArray<string>): string => {
  // A table with dates of its own, such as that of earnings, cannot call its time by the same name.
  if (name === "updated" && columnNames.includes("date")) return "Updated"
  return names.get(name) ?? (/^[a-z]+([A-Z][a-z]+)*$/.test(name)
    ? name.replace(/[A-Z]/g, " $&").replace(/^./, (first) => first.toUpperCase())
    : name)
}
