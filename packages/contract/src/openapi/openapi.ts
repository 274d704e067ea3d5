/** OpenAPI 3.1 from the table of endpoints (https://spec.openapis.org/oas/v3.1.0). */
import { z } from 'zod'
import { answer } from '../define/answers.ts'
import type { AnyEndpoint } from '../define/endpoint.ts'
import { pathOf, SIGN_IN_COOKIE } from '../define/endpoint.ts'
import { RefusalBody } from '../define/errors.ts'
import { nothing } from '../define/nothing.ts'
import { API_KEY_MARK } from '../nouns/api-keys.ts'
import { Channel, MultiCameraChannel } from '../nouns/channels.ts'
import { Group } from '../nouns/groups.ts'
import { UserPreferences } from '../nouns/preferences.ts'
import { Server } from '../nouns/servers.ts'
import { Unit } from '../nouns/units.ts'
import { User } from '../nouns/users.ts'

type Json = Record<string, unknown>

/** Shapes that many calls share; they become components and are referred to by name. */
const named = z.registry<{ id: string }>()
for (const [id, schema] of Object.entries({
  Unit,
  Channel,
  Server,
  User,
  UserPreferences,
  Group,
  MultiCameraChannel,
}))
  named.add(schema, { id })

type Shapes = Map<string, Json>

/** The JSON Schema of a part of a call; named shapes inside it are put into `shapes`. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', shapes: Shapes): Json {
  const options = { io, unrepresentable: 'any', target: 'draft-2020-12', metadata: named } as const
  const text = JSON.stringify(z.toJSONSchema(schema, options)).replaceAll(
    '"#/$defs/',
    '"#/components/schemas/',
  )
  const { $schema: _, $defs, ...rest } = JSON.parse(text) as Json & { $defs?: Record<string, Json> }
  for (const [id, { id: _id, ...shape }] of Object.entries($defs ?? {})) shapes.set(id, shape)
  return rest
}

export function openApi(
  version: string,
  endpoints: readonly { name: string; endpoint: AnyEndpoint }[],
): Json {
  const paths: Record<string, Json> = {}
  const shapes: Shapes = new Map()
  for (const { name, endpoint } of endpoints) {
    const path = pathOf({ path: endpoint.path.replace(/\{(\w+)\}/g, '%7B$1%7D') })
      .replaceAll('%7B', '{')
      .replaceAll('%7D', '}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(name, endpoint, shapes) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Backhaul', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    paths,
    components: {
      schemas: { Refusal: schemaOf(RefusalBody, 'output', shapes), ...Object.fromEntries(shapes) },
      securitySchemes,
    },
  }
}

const securitySchemes: Json = {
  signIn: { type: 'apiKey', in: 'cookie', name: SIGN_IN_COOKIE },
  apiKey: { type: 'http', scheme: 'bearer', bearerFormat: `${API_KEY_MARK}…` },
}

function securityOf({ permission, closedToKeys }: AnyEndpoint): Json[] {
  if (permission === 'anyone') return []
  return [{ signIn: [] }, ...(closedToKeys ? [] : [{ apiKey: [] }])]
}

function operation(name: string, endpoint: AnyEndpoint, shapes: Shapes): Json {
  const refusals = [400, ...(endpoint.permission === 'anyone' ? [] : [401, 403]), ...endpoint.errors]
  const body = endpoint.body === (nothing as z.ZodType) ? undefined : schemaOf(endpoint.body, 'input', shapes)
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [name.split('.')[0]],
    'x-permission': endpoint.permission,
    ...(endpoint.takesLong && { 'x-takes-long': true }),
    security: securityOf(endpoint),
    ...(endpoint.fieldsClosedToKeys.length > 0 && {
      'x-fields-closed-to-keys': endpoint.fieldsClosedToKeys,
    }),
    ...(endpoint.rows.length > 0 && { 'x-specification': endpoint.rows }),
    parameters: [
      ...parameters('path', endpoint.params, shapes),
      ...parameters('query', endpoint.query, shapes),
    ],
    ...(body && { requestBody: { content: { 'application/json': { schema: body } } } }),
    responses: {
      200: {
        description: 'Done',
        content:
          endpoint.type === 'csv'
            ? { 'text/csv': { schema: { type: 'string' }, example: endpoint.example } }
            : {
                'application/json': {
                  schema: schemaOf(answer(endpoint.response), 'output', shapes),
                  example: { code: 200, data: endpoint.example },
                },
              },
      },
      ...Object.fromEntries([...new Set(refusals)].map((status) => [status, refusalAnswer])),
    },
  }
}

const refusalAnswer = {
  description: 'Refused',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
}

function parameters(place: 'path' | 'query', schema: z.ZodType, shapes: Shapes): Json[] {
  if (!(schema instanceof z.ZodObject)) return []
  const whole = schemaOf(schema, 'input', shapes) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(whole.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (whole.required ?? []).includes(name),
    schema: property,
  }))
}
