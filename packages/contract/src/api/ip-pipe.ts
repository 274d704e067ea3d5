/** IP pipes: the settings of units and of the servers that hold them, connecting and disconnecting. */
import { z } from 'zod'
import { accepted, Done, page } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import {
  IP_PIPE_SERVERS_LIMIT,
  IpPipeConfiguration,
  IpPipeSettings,
  ServerEthernet,
} from '../nouns/ip-pipe.ts'
import { Server } from '../nouns/servers.ts'
import { exampleServer } from './servers.ts'

const params = z.object({ id: z.string().min(1).max(64) })
const ofServer = { permission: 'administerDevices', params } as const

const exampleConfiguration: IpPipeConfiguration = { enabled: true, interface: 'br-control', port: 20_950 }

const { deviceId, name, state, capabilities } = exampleServer

/** A server as shown where the server for the pipe of a unit is chosen. */
export const IpPipeServer = Server.pick({
  deviceId: true,
  name: true,
  state: true,
  capabilities: true,
}).extend({
  configuration: IpPipeConfiguration,
  ethernets: z.array(ServerEthernet),
})
export type IpPipeServer = z.infer<typeof IpPipeServer>

const exampleEthernet: ServerEthernet = {
  name: 'br-control',
  mac: '02:00:5e:10:00:01',
  addresses: ['10.20.0.2'],
  sockets: ['eno2'],
  up: true,
}

export const ipPipe = {
  setUnit: endpoint({
    method: 'PUT',
    path: '/v2/units/{id}/ippipe',
    summary: 'Sets the IP pipe of a unit while it is not connected',
    permission: 'operateUnits',
    params,
    body: IpPipeSettings,
    response: Done,
    errors: [404, 409],
    example: { done: true },
    rows: ['EP-USET-14', 'VA-STREAM-04', 'VA-STREAM-05', 'VA-STREAM-06', 'CO-ADMIN-47', 'CO-ADMIN-48'],
  }),
  connect: endpoint({
    method: 'POST',
    path: '/v2/units/{id}/ippipe/connection',
    summary: 'Joins the Ethernet of the crew with the network of its server, over all links of the unit',
    permission: 'operateUnits',
    params,
    ...accepted,
    rows: ['EP-STRM-11'],
  }),
  disconnect: endpoint({
    method: 'DELETE',
    path: '/v2/units/{id}/ippipe/connection',
    summary: 'Ends the IP pipe of the unit',
    permission: 'operateUnits',
    params,
    ...accepted,
    rows: ['EP-STRM-12'],
  }),
  servers: endpoint({
    method: 'GET',
    path: '/v2/inventories/{inv}/mmhservers/',
    summary: 'MMH servers of the customer; with searchKey ipPipe those that can hold an IP pipe',
    permission: 'viewUnits',
    params: z.object({ inv: z.string().min(1).max(64) }),
    query: z.object({
      searchKey: z.enum(['ipPipe']).optional(),
      offset: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(IP_PIPE_SERVERS_LIMIT).default(IP_PIPE_SERVERS_LIMIT),
    }),
    response: page(IpPipeServer),
    errors: [404],
    example: {
      items: [
        {
          deviceId,
          name,
          state,
          capabilities,
          configuration: exampleConfiguration,
          ethernets: [exampleEthernet],
        },
      ],
      total: 1,
      offset: 0,
      limit: IP_PIPE_SERVERS_LIMIT,
    },
    rows: ['EP-SRV-22', 'CO-ADMIN-22'],
  }),
  configuration: endpoint({
    method: 'GET',
    path: '/v2/mmhservers/{id}/configuration/ippipe',
    summary: 'How an MMH server holds IP pipes',
    ...ofServer,
    response: IpPipeConfiguration,
    errors: [404],
    example: exampleConfiguration,
    rows: ['EP-SRV-13', 'EN-SERVER-30'],
  }),
  configure: endpoint({
    method: 'POST',
    path: '/v2/mmhservers/{id}/configuration/ippipe',
    summary: 'Sets how an MMH server holds IP pipes, as a whole; pipes that do not fit any more end',
    ...ofServer,
    body: IpPipeConfiguration,
    response: IpPipeConfiguration,
    errors: [404, 409],
    example: exampleConfiguration,
    rows: ['EP-SRV-14', 'SC-DEVS-04'],
  }),
  changeConfiguration: endpoint({
    method: 'PUT',
    path: '/v2/mmhservers/{id}/configuration/ippipe',
    summary: 'Changes how an MMH server holds IP pipes; what is not given is not changed',
    ...ofServer,
    body: IpPipeConfiguration.partial(),
    response: IpPipeConfiguration,
    errors: [404, 409],
    example: exampleConfiguration,
    rows: ['EP-SRV-15'],
  }),
  ethernets: endpoint({
    method: 'GET',
    path: '/v2/mmhservers/{id}/configuration/ippipe/ethlist',
    summary: 'Ethernet networks of the machine that IP pipes may lead to, as the server reported them',
    ...ofServer,
    response: z.array(ServerEthernet),
    errors: [404],
    example: [exampleEthernet],
    rows: ['EP-SRV-16', 'EN-SERVER-30'],
  }),
}
