/** What a decoded chain keeps, in bytes, and the milliseconds that a decode gives the collector to do. */
export interface Memory extends Readonly<Record<"heap" | "buffers" | "collecting", number>> {}
