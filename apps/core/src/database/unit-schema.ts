// The shape of the tables of link extenders and other additions to units; the rest is in schema.ts.

export interface LinkExtenderRow {
  inventory_id: string
  serial_number: string
  unit_id: string
  paired_ms: number
  /** A user name, as it was then. */
  paired_by: string
}
