// The two areas in which one list after the other shows what an installation consists of, and their children.

export type EntityList =
  | 'inventories'
  | 'groups'
  | 'units'
  | 'mmhServers'
  | 'vrServers'
  | 'ingestServers'
  | 'transceiverServers'
  | 'users'
  | 'channels'
  | 'vrChannels'
  | 'dbGateways'
  | 'ifbServers'

interface EntityChild {
  /** The last part of its address: the two areas write some of them differently. */
  path: string
  list: EntityList
}

const child = (path: string, list: EntityList): EntityChild => ({ path, list })

/** Their addresses alone open the first child. */
export const entityAreas = {
  contractor: {
    path: '/contractor/entities',
    children: [
      child('units', 'units'),
      child('mmh_servers', 'mmhServers'),
      child('channels', 'channels'),
      child('vr_servers', 'vrServers'),
      child('vr_channels', 'vrChannels'),
      child('transceiver_servers', 'transceiverServers'),
      child('ingest_servers', 'ingestServers'),
      child('db_gateways', 'dbGateways'),
    ],
  },
  system: {
    path: '/psg/system_entities',
    children: [
      child('inventories', 'inventories'),
      child('groups', 'groups'),
      child('units', 'units'),
      child('mmh_servers', 'mmhServers'),
      child('vr_servers', 'vrServers'),
      child('ingest_servers', 'ingestServers'),
      child('transceiver_servers', 'transceiverServers'),
      child('users', 'users'),
      child('channels', 'channels'),
      child('vrChannels', 'vrChannels'),
      child('dbGateways', 'dbGateways'),
      child('ifb_servers', 'ifbServers'),
    ],
  },
} as const satisfies Record<string, { path: string; children: readonly EntityChild[] }>

export type EntityArea = keyof typeof entityAreas
