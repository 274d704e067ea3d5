// Reads frames of devices: JSON, then the schema of that very message type; plain figures need neither.
import type { FromDevice } from '@backhaul/contract/gateway/gateway'
import { fromDevice } from '@backhaul/contract/gateway/gateway'
import type { DeviceKind } from '@backhaul/contract/gateway/shared'
import type { z } from 'zod'
import { parseJson, TooDeep } from '../json.ts'
import type { Parsed } from './device-queue.ts'
import { readTelemetry } from './telemetry-reader.ts'

const schemas: ReadonlyMap<string, z.ZodType> = new Map(fromDevice.map(({ type, schema }) => [type, schema]))

const either: readonly DeviceKind[] = ['unit', 'server']
const senders: Readonly<Record<FromDevice['type'], readonly DeviceKind[]>> = {
  register: either,
  hello: either,
  outcome: either,
  logPart: either,
  upgradeProgress: either,
  report: ['unit'],
  telemetry: ['unit'],
  folder: ['unit'],
  serverReport: ['server'],
  serverTelemetry: ['server'],
  levels: ['server'],
  tallies: ['server'],
  files: ['server'],
  uploadProgress: ['server'],
}

/** Whether a device of this kind may send this; a unit never reports for channels, nor a server for units. */
export const maySend = (kind: DeviceKind, type: FromDevice['type']): boolean => senders[type].includes(kind)

/** The message, or a text that names the field and the rule that it breaks. */
export function readMessage(given: Buffer | Parsed): FromDevice | string {
  if (!Buffer.isBuffer(given))
    return given.isValid ? (given.message as FromDevice) : byItsSchema(given.message)
  const figures = readTelemetry(given)
  if (figures) return figures
  let json: unknown
  try {
    json = parseJson(given.toString())
  } catch (error) {
    return error instanceof TooDeep ? `(message): ${error.message}` : 'A message must be JSON'
  }
  return byItsSchema(json)
}

function byItsSchema(json: unknown): FromDevice | string {
  const type = (json as { type?: unknown } | null)?.type
  const schema = typeof type === 'string' ? schemas.get(type) : undefined
  if (!schema) return `type: unknown message type ${JSON.stringify(type)?.slice(0, 40)}`
  const result = schema.safeParse(json)
  if (result.success) return result.data as FromDevice
  const issue = result.error.issues[0]
  return `${String(type)}: ${issue?.path.join('.') || '(message)'}: ${issue?.message ?? 'invalid'}`
}
