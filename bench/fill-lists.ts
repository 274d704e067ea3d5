/** Long lists straight into the tables: by the API a hundred thousand users would take hours of hashing. */

type Engine = 'sqlite' | 'postgres'

/** Numbers from 1 on as rows of `n` with the column `i`. */
const numbers: Record<Engine, (count: number) => string> = {
  sqlite: (count) =>
    `(with recursive counted(i) as (select 1 union all select i + 1 from counted where i < ${count})
      select i from counted) n`,
  // Their products are more than 32 bits can hold.
  postgres: (count) => `generate_series(1::bigint, ${count}) as n(i)`,
}

/** Names in another order than that of their making; each differs from all others up to a million rows. */
const mixed = '(1000000 + (i * 7919) % 1000003)'

export interface Owners {
  readonly inventory: string
  /** The server of the files. */
  readonly server: string
  readonly channel: string
}

/** @param run executes one statement. */
export async function fillLists(
  engine: Engine,
  run: (sql: string) => unknown,
  { inventory: inventoryId, server, channel }: Owners,
  count: number,
): Promise<void> {
  const from = `from ${numbers[engine](count)}`
  const origin = '{"unitName":"","unitType":"","gps":null,"story":{}}'
  const contact = '{"email":"","phone":"","firstName":"Long","lastName":"List"}'
  await run(`insert into users (id, username, username_key, first_name, last_name, email, email_key, user_type, roles,
      label, active, sso, oda, password_hash, password_policy, password_changed_ms, contact, consents, created_ms)
    select 'us-' || i, 'person-' || ${mixed}, 'person-' || ${mixed}, 'Long', 'List', null, null, 'regular',
      '["luc_regular"]', '', 1, 0, 0, '', 'never', 0, '${contact}', '{}', 0 ${from}`)
  await run(
    `insert into user_inventories (user_id, inventory_id) select 'us-' || i, '${inventoryId}' ${from}`,
  )
  await run(`insert into ${engine === 'sqlite' ? '"groups"' : 'groups'} (id, inventory_id, name, registration_key,
      unit_auto_association, global_auto_association, details, created_ms)
    select 'gr-' || i, '${inventoryId}', 'Group-' || ${mixed}, 'key-' || i, 0, 0, '{}', i ${from}`)
  await run(`insert into devices (id, kind, inventory_id, name, comment, product_type, serial_number, sw_version,
      token_hash, wanted, wanted_revision, details, registered_ms)
    select 'un-' || i, 'unit', '${inventoryId}', 'Unit-' || ${mixed}, '', 'LU-600', 'sn-' || i, '', 'hash-' || i,
      '{}', 0, '{}', 0 ${from}`)
  await run(`insert into channel_files (channel_id, unit_id, file_name, server_id, root_directory, size_bytes, modified_ms,
      is_transferring, media, origin)
    select '${channel}', '-', 'Take-' || ${mixed} || '.mp4', '${server}', 'recordings', 1000000, i * 1000, 0, null, '${origin}' ${from}`)
  // As the server does by itself, once it has time: until then new rows are not in the indexes of three letters.
  await run(engine === 'sqlite' ? 'analyze' : 'vacuum analyze')
}
