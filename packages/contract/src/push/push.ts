/** The push door: all topics, and which kind a field travels by. */
import type { z } from 'zod'
import type { Topic } from '../define/topic.ts'
import { accessTopic } from './access-approvals.ts'
import { channelTopic } from './channels.ts'
import { groupTopic } from './groups.ts'
import { serverTopic } from './servers.ts'
import { unitTopic } from './units.ts'
import { userTopic } from './users.ts'

export const topics = [unitTopic, channelTopic, serverTopic, groupTopic, userTopic, accessTopic] as const

export const topicName = (topic: Topic, uid: string): string => `${topic.noun}.${uid}`

/** The noun and the uid of a topic name such as `unit.u-17`; undefined for any other text. */
export function parseTopic(name: string): { topic: (typeof topics)[number]; uid: string } | undefined {
  const dot = name.indexOf('.')
  const topic = topics.find((candidate) => candidate.noun === name.slice(0, dot))
  return topic === undefined || dot === name.length - 1 ? undefined : { topic, uid: name.slice(dot + 1) }
}

/** Field → kind of a topic, from the shapes themselves. */
export function kindsByField(topic: Topic): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(topic.kinds).flatMap(([kind, schema]) =>
      Object.keys((schema as z.ZodObject).shape).map((field): [string, string] => [field, kind]),
    ),
  )
}
