/** For tests: the real ModemManager on a bus of the test's own, without the modems of the machine. */
import type { PrivateBus } from '@backhaul/runtime/testing/private-bus'
import { until } from '@backhaul/runtime/testing/until'
import { Message, sessionBus } from '@jellybrick/dbus-next'
import type { AtModem } from './at-modem.ts'

export const modemManager = '/usr/sbin/ModemManager'

const service = 'org.freedesktop.ModemManager1'
const path = '/org/freedesktop/ModemManager1'
const apart = [
  '--test-session',
  '--test-no-udev',
  '--test-enable',
  '--test-no-qrtr',
  '--test-no-suspend-resume',
]

/** `plugin` is what ModemManager knows of modems of one maker; resolves when it has this modem to inspect. */
export async function startModemManager(
  bus: PrivateBus,
  modem: AtModem,
  plugin: 'generic' | 'cinterion' = 'generic',
): Promise<void> {
  bus.run(modemManager, apart)
  const client = sessionBus({ busAddress: bus.address })
  const profile = {
    destination: service,
    path,
    interface: `${service}.Test`,
    member: 'SetProfile',
    signature: 'ssas',
    body: ['test', plugin, [modem.port]],
  }
  const isSetUp = () =>
    client.call(new Message(profile)).then(
      () => true,
      () => false,
    )
  await until(isSetUp).finally(() => client.disconnect())
}
