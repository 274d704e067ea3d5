import type { Command } from '@backhaul/contract/nouns/commands'
import { causeColumn, causeOfColumn } from '../../database/causes.ts'
import type { CommandRow, Queries } from '../../database/schema.ts'

export interface StoredCommand extends Command {
  deadlineMs: number
}

export async function insertCommand(db: Queries, command: StoredCommand): Promise<void> {
  await db
    .insertInto('commands')
    .values({
      id: command.id,
      device_id: command.uid,
      name: command.name,
      args: JSON.stringify({ ...command.args, by: command.by }),
      state: command.state,
      reason: command.reason,
      cause: causeColumn(command.cause),
      user_id: null,
      created_ms: command.createdAt,
      updated_ms: command.updatedAt,
      deadline_ms: command.deadlineMs,
    })
    .execute()
}

export async function saveCommandState(
  db: Queries,
  { id, state, reason, cause, updatedAt, deadlineMs }: StoredCommand,
): Promise<void> {
  await db
    .updateTable('commands')
    .set({ state, reason, cause: causeColumn(cause), updated_ms: updatedAt, deadline_ms: deadlineMs })
    .where('id', '=', id)
    .execute()
}

/** The commands whose end is not stored yet, oldest first. */
export async function openCommands(db: Queries): Promise<StoredCommand[]> {
  const rows = await db
    .selectFrom('commands')
    .selectAll()
    .where('state', 'in', ['queued', 'sent', 'accepted'])
    .orderBy('created_ms')
    .execute()
  return rows.map(commandOf)
}

function commandOf(row: CommandRow): StoredCommand {
  const { by, ...args } = JSON.parse(row.args) as Record<string, unknown>
  return {
    id: row.id,
    uid: row.device_id,
    name: row.name as Command['name'],
    state: row.state as Command['state'],
    reason: row.reason,
    ...causeOfColumn(row.cause),
    by: String(by ?? ''),
    createdAt: row.created_ms,
    updatedAt: row.updated_ms,
    args,
    deadlineMs: row.deadline_ms,
  }
}
