// Keeps each link on its own interface: an address alone does not, since Linux chooses the way by its routes.
// 1. A link's socket is held to the interface, where that can be had: packets leave by it or not at all.
// 2. Where it cannot, the system is asked every 2 s which way the link's packets would take. While that is another
//    interface the link is not used: it would only take what another link has already.
// A receiver on this machine is reached by no interface; links that are addresses alone have none to be held to.
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { HoldLink } from './bonded-links.ts'
import { addressOf, deviceOf, isOwnAddress, openDeviceSocket, wayOut } from './hardware/device-socket.ts'

const lookPeriodMs = 2000

export interface LinkHolderOptions {
  clock: Clock
  log: Log
  openHeld?: typeof openDeviceSocket
}

export function createLinkHolder({ clock, log, openHeld = openDeviceSocket }: LinkHolderOptions): HoldLink {
  return (link, remoteHost, onUsable) => {
    const device = deviceOf(link.id)
    let isClosed = false
    let isUsable = true
    let stopWatching = () => {}

    async function look(remoteAddress: string): Promise<void> {
      const way = await wayOut(link.address, remoteAddress)
      const isOwnWay = way === undefined || way === device
      if (isClosed || isOwnWay === isUsable) return
      isUsable = isOwnWay
      if (isOwnWay) log.info({ link: link.id }, 'the link sends by its own interface again')
      else
        log.warn({ link: link.id, way }, 'the link is not used: its packets would leave by another interface')
      onUsable(isOwnWay)
    }

    function watchWay(remoteAddress: string): void {
      if (isClosed) return
      void look(remoteAddress)
      const timer = clock.setInterval(() => void look(remoteAddress), lookPeriodMs)
      stopWatching = () => clock.clearInterval(timer)
    }

    async function openSocket(name: string) {
      const remoteAddress = await addressOf(remoteHost)
      if (isOwnAddress(remoteAddress)) return undefined
      try {
        return await openHeld(name)
      } catch (error) {
        log.warn(
          { link: link.id, err: error },
          'the link cannot be held to its interface: its way is watched',
        )
        stopWatching()
        watchWay(remoteAddress)
        return undefined
      }
    }

    return {
      openSocket: device === undefined ? undefined : () => openSocket(device),
      close() {
        isClosed = true
        stopWatching()
      },
    }
  }
}
