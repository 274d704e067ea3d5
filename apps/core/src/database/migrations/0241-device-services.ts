// Services that vendor staff give to one device for a time.
import type { Queries } from '../schema.ts'

export const name = '0241-device-services'

export async function up(db: Queries): Promise<void> {
  await db.schema
    .createTable('device_services')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('device_id', 'text', (c) => c.notNull().references('devices.id').onDelete('cascade'))
    .addColumn('service', 'text', (c) => c.notNull())
    .addColumn('expires_ms', 'bigint')
    .addColumn('is_over', 'integer', (c) => c.notNull())
    .addColumn('created_ms', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('device_services_once', ['device_id', 'service'])
    .execute()
  await db.schema
    .createIndex('device_services_due')
    .on('device_services')
    .columns(['is_over', 'expires_ms'])
    .execute()
}
