// The code of a refusal in the log of changes.
import type { Queries } from '../schema.ts'

export const name = '0151-audit-causes'

export async function up(db: Queries): Promise<void> {
  await db.schema.alterTable('audit').addColumn('cause', 'text').execute()
}
