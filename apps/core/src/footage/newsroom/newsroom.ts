// Reads the newsroom of each customer who switched its sync on, every five minutes, and makes their stories follow it.
import { Conflict, InvalidRequest } from '@backhaul/contract/define/errors'
import { english, type Reason, reasonFields } from '@backhaul/contract/define/refusals'
import type { MappedStories, NewsroomResult } from '@backhaul/contract/nouns/ingest'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Scope } from '../../database/scope.ts'
import { OutwardFailure } from '../../doors/outward-address.ts'
import type { SendOutward } from '../../doors/outward-request.ts'
import type { DueNewsroom, Ingest } from '../../programme/ingest/ingest.ts'
import type { Stories } from '../stories/stories.ts'
import { NewsroomFailure } from './newsroom-failure.ts'
import { readStories } from './story-list.ts'
import { createStyleSheets } from './style-sheet.ts'

export interface Newsroom {
  /**
   * The stories that the customer's mapping file makes of the content. Throws NotFound for a customer that the caller may
   * not know of, Conflict without the service, without a file and where that fails, InvalidRequest for what is no XML.
   */
  testMapping(scope: Scope, inventoryId: string, content: string): Promise<MappedStories>
  start(): void
  stop(): Promise<void>
}

interface Needs {
  clock: Clock
  log: Log
  sendOutward: SendOutward
  ingest: Ingest
  stories: Stories
}

const checkEveryMs = 5000
/** A newsroom may take 20 s to answer, and the next one should not wait for it. */
const atOnce = 4

const nothing = { stories: 0, created: 0, changed: 0, removed: 0, kept: 0, skipped: 0 }

export function createNewsroom({ clock, log, sendOutward, ingest, stories }: Needs): Newsroom {
  const styleSheets = createStyleSheets()
  const { accounts } = ingest
  let timer: Timer | undefined
  let isStopped = false
  let lanes = 0
  let writing: Promise<unknown> = Promise.resolve()

  async function mapped(xml: string, styleSheet: string): Promise<MappedStories> {
    return readStories(await styleSheets.apply({ xml, styleSheet }))
  }

  async function read({ obstacle, address, username, password, mapping }: DueNewsroom) {
    if (obstacle !== undefined) throw new NewsroomFailure(obstacle)
    const credentials = Buffer.from(`${username}:${password}`).toString('base64')
    const text = await sendOutward(address, {
      method: 'GET',
      headers: {
        accept: 'application/xml, text/xml',
        ...(username !== '' && { authorization: `Basic ${credentials}` }),
      },
    })
    if (text.includes('\uFFFD')) throw new NewsroomFailure('newsroom.encoding')
    const found = await mapped(text, mapping)
    // A page of another system is mapped without a fault, and would delete every story.
    if (found.stories.length + found.skipped.length === 0) throw new NewsroomFailure('newsroom.empty')
    return found
  }

  async function follow(inventoryId: string, { stories: listed, skipped }: MappedStories) {
    const skippedIds = new Set(skipped.map(({ storyId }) => storyId))
    const counts = await stories.followNewsroom(inventoryId, listed, skippedIds)
    const [first] = skipped
    const result: NewsroomResult = {
      at: new Date(clock.nowMs()).toISOString(),
      stories: listed.length,
      ...counts,
      skipped: skipped.length,
      reason: first?.reason ?? null,
      cause: first?.cause,
    }
    await accounts.saveSync(inventoryId, result)
    log.info({ inventory: inventoryId, stories: listed.length, ...counts }, 'stories of the newsroom read')
  }

  async function fail(inventoryId: string, error: unknown): Promise<void> {
    const reason = reasonOf(error)
    if (!(error instanceof NewsroomFailure || error instanceof OutwardFailure))
      log.error({ err: error, inventory: inventoryId }, 'stories of the newsroom not stored')
    else log.warn({ inventory: inventoryId, reason: english(reason) }, 'newsroom not read')
    const at = new Date(clock.nowMs()).toISOString()
    await accounts.saveSync(inventoryId, { at, ...nothing, ...reasonFields(reason) })
  }

  async function sync(due: DueNewsroom): Promise<void> {
    const { inventoryId } = due
    const [found] = await Promise.allSettled([read(due)])
    // Core closes its database: the next one reads the newsroom again.
    if (isStopped) return
    writing = writing.then(async () => {
      try {
        if (found.status === 'rejected') throw found.reason
        await follow(inventoryId, found.value)
      } catch (error) {
        await fail(inventoryId, error)
      }
    })
    await writing
  }

  async function lane(): Promise<void> {
    lanes++
    try {
      for (;;) {
        const due = isStopped ? undefined : await accounts.claimDue()
        if (!due) return
        await sync(due)
      }
    } catch (error) {
      log.error({ err: error }, 'reading of newsrooms failed')
    } finally {
      lanes--
    }
  }

  return {
    async testMapping(scope, inventoryId, content) {
      const styleSheet = await accounts.mapping(scope, inventoryId)
      try {
        return await mapped(content, styleSheet)
      } catch (error) {
        if (!(error instanceof NewsroomFailure)) throw error
        const { reason } = error
        if (typeof reason === 'object' && reason.code === 'newsroom.notWellFormed')
          throw InvalidRequest.at('content', reason)
        throw new Conflict(reason)
      }
    },
    start() {
      timer = clock.setInterval(() => {
        if (lanes < atOnce) void lane()
      }, checkEveryMs)
    },
    async stop() {
      isStopped = true
      clock.clearInterval(timer)
      styleSheets.stop()
      await writing
    },
  }
}

function reasonOf(error: unknown): Reason {
  return error instanceof NewsroomFailure || error instanceof OutwardFailure
    ? error.reason
    : 'newsroom.failed'
}
