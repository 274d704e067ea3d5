// Sends new alerts of a group to its verified recipients by e-mail: with pauses, and each alert once.
import type { Alert, AlertType } from '@backhaul/contract/nouns/alerts'
import { ALERT_MAIL_DELAY_MS, ALERT_MAIL_PAUSE_MS } from '@backhaul/contract/nouns/recipients'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { DueRecipient, Recipients } from '../../people/groups/groups.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'

interface Needs {
  db: Database
  clock: Clock
  log: Log
  outbox: Outbox
  recipients: Recipients
  /** The alerts shown to the users of a group now, the most urgent first. */
  ofGroup(groupId: string): readonly Alert[]
}

const checkPeriodMs = 5000
const linesAtMost = 50

export function createAlertMails({ db, clock, log, outbox, recipients, ofGroup }: Needs) {
  let timer: Timer | undefined
  let round: Promise<void> | undefined

  async function send(recipient: DueRecipient): Promise<void> {
    const fresh = worthAMail(ofGroup(recipient.groupId), recipient.mailedMs, clock.nowMs())
    if (fresh.length === 0) return
    const { inventoryId, email } = recipient
    const mail = mailOf(recipient.group, fresh)
    await db.transaction().execute(async (transaction) => {
      await recipients.markSent(transaction, recipient)
      await outbox.post({ inventoryId, recipient: email, ...mail }, transaction)
    })
  }

  async function sendDue(): Promise<void> {
    for (const one of await recipients.silentSince(clock.nowMs() - ALERT_MAIL_PAUSE_MS)) await send(one)
  }

  return {
    start() {
      timer = clock.setInterval(() => {
        round ??= sendDue()
          .catch((error) => log.error({ err: error }, 'alerts: sending e-mail failed'))
          .finally(() => {
            round = undefined
          })
      }, checkPeriodMs)
    },
    async stop() {
      clock.clearInterval(timer)
      await round
    },
  }
}

/** Those raised since the last e-mail; none until the oldest of them is a while old, so that they are sent together. */
function worthAMail(standing: readonly Alert[], mailedMs: number, nowMs: number): readonly Alert[] {
  const fresh = standing.filter(({ since }) => since > mailedMs)
  return fresh.some(({ since }) => nowMs - since >= ALERT_MAIL_DELAY_MS) ? fresh : []
}

const failed =
  (what: string) =>
  ({ about, reason }: Alert) =>
    [what, about?.name, reason].filter(Boolean).join(': ')

const words: Readonly<Record<AlertType, (alert: Alert) => string>> = {
  battery: ({ value }) => `battery at ${value} %`,
  cameraDisconnected: () => 'camera disconnected',
  serverCpu: ({ value }) => `processor at ${value} %`,
  serverStorage: ({ value }) => `storage at ${value} %`,
  bitrateDrop: ({ value }) => `bit rate fell to ${value} kbps`,
  encoderBehind: ({ value, about, reason }) =>
    [`${value} % of the frames${about ? ` of camera ${about.name}` : ''} are lost`, reason]
      .filter(Boolean)
      .join(': '),
  destinationFailed: failed('destination does not send'),
  recordingFailed: failed('recording does not work'),
  returnFailed: failed('video return does not work'),
  ifbFailed: failed('IFB does not work'),
  tallyFailed: failed('tally cannot be received'),
  databridgeFailed: failed('databridges cannot be received'),
  ipPipeFailed: failed('IP pipes cannot be received'),
  webFailed: failed('players and WHIP senders cannot connect'),
}

function mailOf(group: string, alerts: readonly Alert[]): { subject: string; text: string } {
  const lines = alerts.slice(0, linesAtMost).map((alert) => {
    const { severity, name, type, since } = alert
    const at = new Date(since).toISOString().replace('T', ' ').slice(0, 19)
    return `${severity === 'critical' ? 'CRITICAL' : 'Warning'}: ${name}: ${words[type](alert)} (since ${at} UTC)`
  })
  const left = alerts.length - lines.length
  const what = alerts.length === 1 ? lines[0]?.replace(/ \(since.*$/, '') : `${alerts.length} alerts`
  return {
    subject: `${group}: ${what}`,
    text: [
      ...lines,
      ...(left > 0 ? [`and ${left} more`] : []),
      '',
      `You are an e-mail recipient of ${group}. Its administrators can take you off the list.`,
    ].join('\n'),
  }
}
