// The code of a reason and what fills its text, next to the English of the reason.
import type { Queries } from '../schema.ts'

export const name = '0150-causes'

export async function up(db: Queries): Promise<void> {
  for (const table of ['commands', 'upgrades', 'unit_uploads', 'ai_marks'])
    await db.schema.alterTable(table).addColumn('cause', 'text').execute()
}
