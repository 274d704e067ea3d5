/** OpenAPI 3.1 from the table of endpoints (https://spec.openapis.org/oas/v3.1.0). */
import { z } from 'zod'
import { answer } from './answers.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { pathOf } from './endpoint.ts'
import { RefusalBody } from './errors.ts'
import { nothing } from './nothing.ts'

type Json = Record<string, unknown>

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  }) as Json
  return rest
}

export function openApi(
  version: string,
  endpoints: readonly { name: string; endpoint: AnyEndpoint }[],
): Json {
  const paths: Record<string, Json> = {}
  for (const { name, endpoint } of endpoints) {
    const path = pathOf({ path: endpoint.path.replace(/\{(\w+)\}/g, '%7B$1%7D') })
      .replaceAll('%7B', '{')
      .replaceAll('%7D', '}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(name, endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Backhaul', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    paths,
    components: { schemas: { Refusal: schemaOf(RefusalBody, 'output') } },
  }
}

function operation(name: string, endpoint: AnyEndpoint): Json {
  const refusals = [400, ...(endpoint.permission === 'anyone' ? [] : [401, 403]), ...endpoint.errors]
  const body = endpoint.body === (nothing as z.ZodType) ? undefined : schemaOf(endpoint.body, 'input')
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [name.split('.')[0]],
    'x-permission': endpoint.permission,
    ...(endpoint.rows.length > 0 && { 'x-specification': endpoint.rows }),
    parameters: [...parameters('path', endpoint.params), ...parameters('query', endpoint.query)],
    ...(body && { requestBody: { content: { 'application/json': { schema: body } } } }),
    responses: {
      200: {
        description: 'Done',
        content: {
          'application/json': {
            schema: schemaOf(answer(endpoint.response), 'output'),
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

function parameters(place: 'path' | 'query', schema: z.ZodType): Json[] {
  if (!(schema instanceof z.ZodObject)) return []
  const whole = schemaOf(schema, 'input') as { properties?: Record<string, Json>; required?: string[] }
  return Object.entries(whole.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (whole.required ?? []).includes(name),
    schema: property,
  }))
}
