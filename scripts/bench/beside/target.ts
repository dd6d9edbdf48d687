/** What is asked for a chain of so many contracts: the greatest number of strikes names the size. */
export const target = (contracts: number): string => `/v1/options/chain/SPX/?expiration=all&strikeLimit=${contracts}`
