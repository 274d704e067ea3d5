import type { Socket } from 'node:dgram'
import type { SenderLinkOptions } from '@backhaul/bonding/sender'
import type { WantedTransmission } from '@backhaul/contract/gateway/units'
import type { UnitLink } from './links.ts'

type Target = WantedTransmission['targets'][number]

/** Assumed capacity of a link before anything was measured. */
export const firstLinkKbps = 1000
/** A link without an answer for this long tries the far end's next address. */
const nextTargetAfterMs = 3000

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')

/** The far end's addresses in the order in which a link tries them: one of this machine is reached from here alone. */
export function targetsFor(localAddress: string, targets: readonly Target[]): readonly Target[] {
  const isNear = ({ host }: Target) => isLoopback(host) === isLoopback(localAddress)
  return [...targets.filter(isNear), ...targets.filter((target) => !isNear(target))]
}

interface Route {
  readonly link: UnitLink
  readonly targets: readonly Target[]
  attempt: number
  answeredMs: number
  /** The rule that keeps its packets on its interface, for the present remote address. */
  hold: LinkHold | undefined
}

/** Ensures that a link's packets leave by its own interface, or that the link is not used. */
export interface LinkHold {
  /** Replaces a socket that is only bound to the link's address. */
  readonly openSocket: (() => Promise<Socket | undefined>) | undefined
  close(): void
}

/** `onUsable` is called when the link must not be used for the present, and when it may be used again. */
export type HoldLink = (link: UnitLink, remoteHost: string, onUsable: (isUsable: boolean) => void) => LinkHold

/** The unit's end of a bond, whichever way the stream goes. */
export interface BondEnd {
  addLink(link: SenderLinkOptions): void
  removeLink(id: string): void
  enableLink(id: string, isEnabled: boolean): void
  stats(): { readonly links: readonly { readonly id: string; readonly up: boolean }[] }
}

export interface BondedLinks {
  /** From now on these links carry the stream, and no others. */
  use(links: readonly UnitLink[], nowMs: number): void
  /** Call a few times a second: links without an answer move on to the far end's next address. */
  watch(nowMs: number): void
  close(): void
}

/** Ties the unit's links to a bond: which are used, from which address, to which address of the far end. */
export function createBondedLinks(
  end: BondEnd,
  targets: readonly Target[],
  holdLink?: HoldLink,
): BondedLinks {
  const routes = new Map<string, Route>()

  function open(route: Route): void {
    const { link, targets: ordered, attempt } = route
    const { host, port } = ordered[attempt % ordered.length]!
    route.hold = holdLink?.(link, host, (isUsable) => end.enableLink(link.id, isUsable))
    end.addLink({
      id: link.id,
      localAddress: link.address,
      remoteHost: host,
      remotePort: port,
      startKbps: firstLinkKbps,
      openSocket: route.hold?.openSocket,
    })
  }

  function shut({ link, hold }: Route): void {
    hold?.close()
    end.removeLink(link.id)
  }

  return {
    use(links, nowMs) {
      // The sockets treat a link with another address as another link.
      const isKept = ({ link }: Route) =>
        links.some(({ id, address }) => id === link.id && address === link.address)
      for (const [id, route] of routes) {
        if (isKept(route)) continue
        shut(route)
        routes.delete(id)
      }
      for (const link of links) {
        if (routes.has(link.id)) continue
        const ordered = targetsFor(link.address, targets)
        const route: Route = { link, targets: ordered, attempt: 0, answeredMs: nowMs, hold: undefined }
        routes.set(link.id, route)
        open(route)
      }
    },
    watch(nowMs) {
      for (const { id, up } of end.stats().links) {
        const route = routes.get(id)
        if (!route) continue
        if (up) route.answeredMs = nowMs
        if (route.targets.length < 2 || nowMs - route.answeredMs < nextTargetAfterMs) continue
        route.attempt++
        route.answeredMs = nowMs
        shut(route)
        open(route)
      }
    },
    close() {
      for (const { hold } of routes.values()) hold?.close()
    },
  }
}
