/**
 * The peer of paged lists: bare fastify and pg over the same tables, counting and reading with a plain OFFSET.
 * `list-server.ts <port> <database url>`; without sign-in and checks.
 */
import fastify from 'fastify'
import pg from 'pg'
import { answerLines } from '../load/load-program.ts'

const [port, url] = [Number(process.argv[2]), process.argv[3] ?? '']
const pool = new pg.Pool({ connectionString: url, max: 10 })
const app = fastify()

interface Query {
  limit?: number
  offset?: number
  search?: string
  dir?: string
}

const byName = (name: string, direction: string) => `lower(${name}) collate "C" ${direction}, id`

/** Columns, table, name and order of each list. */
const lists: Readonly<
  Record<string, [columns: string, from: string, name: string, order: (direction: string) => string]>
> = {
  users: ['*', 'users', 'username', (direction) => byName('username', direction)],
  groups: ['*', 'groups', 'name', (direction) => byName('name', direction)],
  units: [
    'id, name, product_type',
    "(select * from devices where kind = 'unit') d",
    'name',
    (direction) => byName('name', direction),
  ],
  files: ['*', 'channel_files', 'file_name', (direction) => `modified_ms ${direction}, file_name`],
}

for (const [path, [columns, from, name, order]] of Object.entries(lists))
  app.get<{ Querystring: Query }>(`/${path}`, async ({ query }) => {
    const { limit = 50, offset = 0, search, dir = 'asc' } = query
    const where = search === undefined ? '' : `where ${name} ilike $1`
    const values = search === undefined ? [] : [`%${search}%`]
    const total = await pool.query(`select count(*) as total from ${from} ${where}`, values)
    const direction = dir === 'desc' ? 'desc' : 'asc'
    const { rows } = await pool.query(
      `select ${columns} from ${from} ${where} order by ${order(direction)}
        limit ${Number(limit)} offset ${Number(offset)}`,
      values,
    )
    return { items: rows, total: Number(total.rows[0].total), offset, limit }
  })

await app.listen({ host: '127.0.0.1', port })
await answerLines(async () => ({}))
