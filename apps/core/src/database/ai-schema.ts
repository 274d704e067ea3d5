// The shape of the tables of AI settings and sessions.

export interface AiSettingsRow {
  id: string
  name: string
  provider: string
  endpoint: string
  model: string
  /** Sealed, for the row alone. */
  secret: string | null
}

/** A session keeps the settings that it began with, also when they change later. */
export interface AiSessionRow {
  id: string
  unit_id: string
  settings_id: string
  profile_name: string
  provider: string
  started_ms: number
  started_by: string
  ended_ms: number | null
  ended_by: string | null
}

export interface AiMarkRow {
  session_id: string
  /** Counts the marks of the session. */
  turn: number
  ts_ms: number
  kind: string
  text: string
  cause: string | null
}
