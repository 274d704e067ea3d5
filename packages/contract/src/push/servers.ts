/** The topic server.{uid}. */
import { topic } from '../define/topic.ts'
import { Server } from '../nouns/servers.ts'

export const serverTopic = topic({
  noun: 'server',
  summary: 'All live data of one receiving server',
  permission: 'viewUnits',
  kinds: {
    serverStatus: Server.omit({ rev: true, upgrade: true }).partial(),
    upgradeProgress: Server.pick({ upgrade: true }).partial(),
  },
})
