// The types of columns in both engines.

/** 0 or 1: neither engine's own boolean survives the trip to the other. */
export type Flag = 0 | 1
/** JSON text; only the table file of the feature that owns the column parses it. */
export type JsonText = string
