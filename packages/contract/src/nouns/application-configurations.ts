/** Values that the installation gives to the applications that call it, for all customers or one (RT-PSG-25, GAP-SCR-11, GAP-INV-05). */
import { z } from 'zod'
import { rule } from '../define/refusals.ts'

/** The name that the console gives in its calls. */
export const CONSOLE_APPLICATION = 'console'

/** Other applications that consoles link to: an address for each. */
export const applicationUrlKeys = ['videoReturnPortal', 'matrix', 'support', 'releaseNotes'] as const

/** The keys that core itself follows; the console has no others. */
const knownKeys = [...applicationUrlKeys, 'chat', 'subscribeBatchSize'] as const

const webAddress = z.url({ protocol: /^https?$/ }).max(1024)
const BATCH_SIZE_MAX = 500

/** Why a value cannot be that of the key, as the message of a schema's rule; undefined where it can. */
function faultOfValue(key: string, value: string): string | undefined {
  if (key === 'subscribeBatchSize') return faultOfBatchSize(value)
  const isAddress = knownKeys.some((known) => known === key)
  return isAddress && !webAddress.safeParse(value).success ? rule('address.web') : undefined
}

function faultOfBatchSize(value: string): string | undefined {
  if (!/^-?\d+$/.test(value)) return rule('number.integer')
  const size = Number(value)
  if (size < 1) return rule('number.orMore', { least: 1 })
  return size > BATCH_SIZE_MAX ? rule('number.orLess', { most: BATCH_SIZE_MAX }) : undefined
}

export const ApplicationConfiguration = z
  .strictObject({
    application: z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, { message: rule('field.pattern') })
      .describe('As it names itself in the header application-id'),
    inventory: z.string().min(1).max(64).nullable().describe('The customer; null: all of them'),
    key: z
      .string()
      .trim()
      .regex(/^[A-Za-z][A-Za-z0-9._-]{0,63}$/, { message: rule('field.pattern') }),
    value: z.string().trim().min(1, rule('field.required')).max(4096),
  })
  .superRefine(({ application, key, value }, context) => {
    if (application === CONSOLE_APPLICATION && !knownKeys.some((known) => known === key)) {
      const message = rule('applicationConfiguration.unknownKey', { keys: knownKeys.join(', ') })
      context.addIssue({ code: 'custom', path: ['key'], message })
      return
    }
    const message = faultOfValue(key, value)
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['value'], message })
  })
export type ApplicationConfiguration = z.infer<typeof ApplicationConfiguration>

/**
 * The configuration of an application for a user of these customers: the value of the customer, where all have the same
 * one, else that for all customers.
 */
export function configurationFor(
  all: readonly ApplicationConfiguration[],
  application: string,
  inventories: readonly string[],
): Readonly<Record<string, string>> {
  const own = all.filter((one) => one.application === application.toLowerCase())
  const values = new Map<string, string>()
  for (const { key } of own) {
    const valueAt = (inventory: string | null) =>
      own.find((one) => one.key === key && one.inventory === inventory)?.value
    const [first, ...others] = inventories.map(valueAt)
    const value = others.every((other) => other === first) ? (first ?? valueAt(null)) : valueAt(null)
    if (value !== undefined) values.set(key, value)
  }
  return Object.fromEntries(values)
}
