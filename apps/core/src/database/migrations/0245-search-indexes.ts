// The indexes of PostgreSQL for searches: they are completed at each start, see search.ts.
export const name = '0245-search-indexes'

export async function up(): Promise<void> {}
