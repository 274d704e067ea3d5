/** JSON Schema of the messages at the gateway (https://json-schema.org/draft/2020-12), for makers of devices. */
import { z } from 'zod'
import { fromCore, fromDevice } from '../gateway/gateway.ts'
import { orderArgs } from '../gateway/orders.ts'
import { UploadEnd, UploadSource, UploadStart, UploadSum } from '../gateway/uploads.ts'

/** The lines in the stream of an upload through a tunnel, by the name under which they are published. */
const uploadLines = { UploadSource, UploadStart, UploadSum, UploadEnd }

/**
 * `$defs` holds each message by its type, `FromDevice` and `FromCore` as a choice of these, the `args` of each order as
 * `{order}.args`, and the lines of an upload. The whole is `FromDevice`: what a device may send. Rules that relate
 * fields with each other are not in it.
 */
export function gatewaySchemas(version: string): Record<string, unknown> {
  const named = ([name, schema]: [string, z.ZodType]) => [name, schemaOf(schema)]
  const messages = [...fromDevice, ...fromCore].map(({ type, summary, schema }) => [
    type,
    { description: summary, ...schemaOf(schema) },
  ])
  const args = Object.entries(orderArgs).map(([name, schema]) => named([`${name}.args`, schema]))
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `Gateway of Backhaul ${version}`,
    $ref: '#/$defs/FromDevice',
    $defs: {
      FromDevice: choiceOf(fromDevice),
      FromCore: choiceOf(fromCore),
      ...Object.fromEntries([...messages, ...args, ...Object.entries(uploadLines).map(named)]),
    },
  }
}

/** The schema of a message as it is sent: a field with a default may be absent. */
function schemaOf(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      if (jsonSchema.pattern) jsonSchema.pattern = jsonSchema.pattern.replaceAll('\\p{Cc}', controlCharacters)
    },
  })
  return rest
}

/** Written as a range, because the regular expressions of Python and others have no names of characters. */
const controlCharacters = '\\u0000-\\u001f\\u007f-\\u009f'

const choiceOf = (messages: readonly { type: string }[]) => ({
  oneOf: messages.map(({ type }) => ({ $ref: `#/$defs/${type}` })),
})
