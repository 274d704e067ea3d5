// Each change of a server in the hands of its administrators, as a request that succeeds.
import type { Order } from '@backhaul/contract/gateway/gateway'
import type { TestDevice, TestFleet } from './fleet.ts'

/** The server does what it is ordered once. */
function obeys(server: TestDevice, order: Order['name'], state: 'accepted' | 'confirmed'): void {
  void server
    .next('order', ({ name }) => name === order)
    .then(({ id }) => server.send({ type: 'outcome', id, state }))
}

export function serverChanges(of: () => { fleet: TestFleet; hub: TestDevice }) {
  const ofHub = (body: object) => ({ params: { id: of().hub.id }, body })
  return {
    'deviceAdministration.changeServer': () => ofHub({ comment: 'rack 4' }),
    'deviceAdministration.restartServer': () => {
      const { hub } = of()
      obeys(hub, 'reset_instance', 'accepted')
      return { params: { id: hub.id } }
    },
    'deviceAdministration.deleteCertificate': async () => {
      const server = await of().fleet.server('Certified', 0)
      obeys(server, 'delete_certificate', 'confirmed')
      return { params: { id: server.id } }
    },
    'deviceAdministration.setComment': () => ofHub({ comment: 'rack 5' }),
    'deviceAdministration.configure': () => ofHub({ maxChannels: 2 }),
  }
}
