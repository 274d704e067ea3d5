/** The topics access.{uid} of a unit or a server, and access.all. */
import { z } from 'zod'
import { topic } from '../define/topic.ts'

export const accessTopic = topic({
  noun: 'access',
  summary: 'Whether the access of vendor support to one device, or to any of all, has changed',
  permission: 'operateUnits',
  kinds: {
    accessApproval: z
      .object({
        accessChangedAt: z
          .number()
          .nullable()
          .describe('Support access was granted, used or ended: read again what depends on it'),
      })
      .partial(),
  },
})
