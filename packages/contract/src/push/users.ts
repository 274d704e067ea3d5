/** The topic user.{id}: data of one signed-in user. */
import { z } from 'zod'
import { topic } from '../define/topic.ts'

export const userTopic = topic({
  noun: 'user',
  summary: 'Updates for one user',
  permission: 'signedIn',
  kinds: {
    rights: z
      .object({
        rightsChangedAt: z.number().nullable().describe('Roles, groups or permissions changed: load again'),
      })
      .partial(),
  },
})
