/** The topic group.{uid}: data of the operator's whole working context. */
import { z } from 'zod'
import { topic } from '../define/topic.ts'
import { Alert } from '../nouns/alerts.ts'

const Membership = z.object({ group: z.string(), device: z.string(), at: z.number() })
export type Membership = z.infer<typeof Membership>

/** Units whose records have changed in what is not pushed: names of their customer and groups, accounts, licences. */
const UnitSync = z.object({ units: z.array(z.string()), at: z.number() })
export type UnitSync = z.infer<typeof UnitSync>

export const groupTopic = topic({
  noun: 'group',
  summary: 'Active alerts and membership of a group',
  permission: 'watchTransmissions',
  kinds: {
    alerts: z.object({ alerts: z.array(Alert).describe('All active alerts, critical first') }).partial(),
    deviceAdded: z
      .object({ added: Membership.nullable().describe('The newest device that joined') })
      .partial(),
    deviceRemoved: z
      .object({ removed: Membership.nullable().describe('The newest device that left') })
      .partial(),
    sync: z
      .object({
        sync: UnitSync.nullable().describe('Read again what was read of these units in addition to the push'),
      })
      .partial(),
  },
})
