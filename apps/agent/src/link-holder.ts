// Keeps each link on its own interface: an address alone does not, since Linux chooses the way by its routes.
// 1. Where possible, a link's socket is bound to the interface: packets leave by it or not at all.
// 2. Elsewhere the system is queried every 2 s for the route of the link's packets. While it leads to another interface
//    the link is not used: it would only take capacity from another link.
// No interface leads to a receiver on this machine, and links that are plain addresses have none to be bound to.
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { HoldLink } from './bonded-links.ts'
import {
  addressOf,
  deviceOf,
  isOwnAddress,
  openDeviceSocket,
  routeInterface,
} from './hardware/device-socket.ts'

const checkPeriodMs = 2000

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

    async function checkRoute(remoteAddress: string): Promise<void> {
      const way = await routeInterface(link.address, remoteAddress)
      const isOwnWay = way === undefined || way === device
      if (isClosed || isOwnWay === isUsable) return
      isUsable = isOwnWay
      if (isOwnWay) log.info({ link: link.id }, 'link enabled: its route leads to its own interface again')
      else log.warn({ link: link.id, way }, 'link disabled: its packets would leave by another interface')
      onUsable(isOwnWay)
    }

    function watchWay(remoteAddress: string): void {
      if (isClosed) return
      void checkRoute(remoteAddress)
      const timer = clock.setInterval(() => void checkRoute(remoteAddress), checkPeriodMs)
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
          'link cannot be bound to its interface: checking its route instead',
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
